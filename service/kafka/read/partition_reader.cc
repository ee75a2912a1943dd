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

}  // namespace neardup
