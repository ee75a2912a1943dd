#include "service/kafka/read/partition_list.h"

#include <cstdlib>
#include <cstring>

namespace neardup {

PartitionList make_list(const Positions& positions, const std::string& metadata) {
  PartitionList list(rd_kafka_topic_partition_list_new(static_cast<int>(positions.size())));
  for (const Position& position : positions) {
    rd_kafka_topic_partition_t* entry = rd_kafka_topic_partition_list_add(
        list.get(), position.partition.topic.c_str(), position.partition.partition);
    entry->offset = position.offset;
    if (metadata.empty()) continue;
    // The list frees it.
    entry->metadata = std::malloc(metadata.size());
    entry->metadata_size = metadata.size();
    std::memcpy(entry->metadata, metadata.data(), metadata.size());
  }
  return list;
}

}  // namespace neardup
