#include "service/kafka/read/partition_list.h"

#include <cstdlib>
#include <cstring>

namespace neardup {
namespace {

void add(const Position& position, const std::string& metadata, PartitionList& list) {
  rd_kafka_topic_partition_t* entry = rd_kafka_topic_partition_list_add(
      list.get(), position.partition.topic.c_str(), position.partition.partition);
  entry->offset = position.offset;
  if (metadata.empty()) return;
  // The list frees it.
  entry->metadata = std::malloc(metadata.size());
  entry->metadata_size = metadata.size();
  std::memcpy(entry->metadata, metadata.data(), metadata.size());
}

}  // namespace

PartitionList make_list(const Positions& positions, const std::string& metadata) {
  PartitionList list(rd_kafka_topic_partition_list_new(static_cast<int>(positions.size())));
  for (const Position& position : positions) add(position, metadata, list);
  return list;
}

PartitionList make_list(std::span<const OffsetCommit> commits) {
  PartitionList list(rd_kafka_topic_partition_list_new(static_cast<int>(commits.size())));
  for (const OffsetCommit& commit : commits) add(commit.position, commit.metadata, list);
  return list;
}

std::vector<OffsetCommit> marked(const Positions& positions, const CommitMetadata& mark,
                                 const TopicIds& ids) {
  std::vector<OffsetCommit> commits;
  for (const Position& position : positions) {
    commits.push_back({position, encode_mark(mark, id_of(ids, position.partition.topic))});
  }
  return commits;
}

}  // namespace neardup
