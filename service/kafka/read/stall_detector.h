// Detects partitions that stop progressing without an error. librdkafka 2.0 stops at a batch whose
// records it cannot parse; versions before 2.10 may wait for the leader of a topic that was deleted
// and recreated.
#pragma once

#include <optional>

#include "service/kafka/message/positions.h"
#include "service/kafka/read/consumer.h"
#include "service/log/log.h"

namespace neardup {

class StallDetector {
 public:
  // To be called from time to time while no records arrive. Logs an error for each partition that
  // has records beyond its position and had the same position at the previous call. Returns the
  // place of one that ends before its position, and had this position then.
  std::optional<std::size_t> look(const Positions& positions, const Consumer& consumer, Log& log);

 private:
  Positions before_;
};

}  // namespace neardup
