// Reads assigned partitions from given offsets on. Each assignment has its own client: with a
// shared one, a late event of an earlier assignment, such as the end of a partition, would be taken
// for one of this assignment, and records would be skipped. One thread.
#pragma once

#include "config/service_options.h"
#include "service/kafka/client/client_events.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/message/positions.h"

namespace neardup {

class PartitionReader {
 public:
  PartitionReader(const KafkaOptions& options, ClientEvents& events, const Positions& positions);

  // The next message, end of a partition or error (rd_kafka_message_t::err), or null after
  // `timeout_ms`.
  KafkaMessage poll(int timeout_ms);

 private:
  KafkaHandle client_;
};

}  // namespace neardup
