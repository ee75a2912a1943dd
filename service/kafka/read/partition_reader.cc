#include "service/kafka/read/partition_reader.h"

#include "service/kafka/client/client_conf.h"
#include "service/kafka/read/partition_list.h"

namespace neardup {

PartitionReader::PartitionReader(const KafkaOptions& options, ClientEvents& events,
                                 const Positions& positions)
    : client_(make_client(options, ClientRole::kConsumer, events)) {
  check(rd_kafka_assign(client_.get(), make_list(positions, {}).get()), "assigning partitions");
}

KafkaMessage PartitionReader::poll(int timeout_ms) {
  return KafkaMessage(rd_kafka_consumer_poll(client_.get(), timeout_ms));
}

std::int64_t PartitionReader::last_seen_end(const TopicPartition& partition) const {
  std::int64_t low = 0;
  std::int64_t high = 0;
  const auto error = rd_kafka_get_watermark_offsets(client_.get(), partition.topic.c_str(),
                                                    partition.partition, &low, &high);
  return error == RD_KAFKA_RESP_ERR_NO_ERROR ? high : 0;
}

}  // namespace neardup
