// Finds partitions that have records but do not deliver them: librdkafka 2.0 silently stops at a
// batch whose records it cannot parse.
#pragma once

#include "service/kafka/message/positions.h"
#include "service/kafka/read/consumer.h"
#include "service/log/log.h"

namespace neardup {

class StallDetector {
 public:
  // To be called from time to time while no records arrive. Logs an error for each partition that
  // has records beyond its position and had the same position at the previous call.
  void look(const Positions& positions, const PartitionReader& reader, const Consumer& consumer,
            Log& log);

 private:
  Positions before_;
};

}  // namespace neardup
