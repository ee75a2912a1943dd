#include "service/kafka/read/stall_detector.h"

namespace neardup {

void StallDetector::look(const Positions& positions, const PartitionReader& reader,
                         const Consumer& consumer, Log& log) {
  for (const Position& now : positions) {
    const Position* then = find(before_, now.partition);
    if (then == nullptr || then->offset != now.offset) continue;
    if (reader.last_seen_end(now.partition) <= now.offset) continue;  // saves a request
    const Watermarks marks = consumer.watermarks(now.partition);
    if (marks.high <= now.offset) continue;
    log.error("partition stands still",
              {{"partition", to_text(now.partition)},
               {"offset", now.offset},
               {"end", marks.high},
               {"detail",
                "records are there but cannot be read; docs/operations.md says how to "
                "go on behind them"}});
  }
  before_ = positions;
}

}  // namespace neardup
