// Finds partitions that hold records and give none: librdkafka 2.0 stops in silence at a batch
// whose records it cannot parse.
#pragma once

#include "service/kafka/message/positions.h"
#include "service/kafka/read/consumer.h"
#include "service/log/log.h"

namespace neardup {

class StallDetector {
 public:
  // To be called now and then, while nothing comes. A partition that has records beyond its
  // position, and had the same position at the call before, is logged as an error.
  void look(const Positions& positions, const PartitionReader& reader, const Consumer& consumer,
            Log& log);

 private:
  Positions before_;
};

}  // namespace neardup
