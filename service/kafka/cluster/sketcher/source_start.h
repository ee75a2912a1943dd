// Where a sketcher begins with a partition, by what its group has committed and what has been
// decided of the log. Without Kafka.
//
// A message of the log may be skipped by all its readers, or be lost with a broker's disk. Then the
// last decided batch is behind the message, and the accepted position of its partition is still
// before it: the partition is read and sketched again from there. No clock takes part in that.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "service/cluster/decided.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/store/recovery_plan.h"

namespace neardup {

// Records before `offset` are in messages of the log up to the one at `log_offset`, as far as those
// who wrote them know.
struct Appended {
  std::int64_t offset = 0;
  std::int64_t log_offset = 0;
};

// The position behind the last record of that partition that counted. Nothing: none has.
std::optional<std::int64_t> accepted_position(const Decided& decided,
                                              const TopicPartition& partition);

// Have the readers of the log skipped appended records of that partition?
bool passed_over(const Appended& appended, const TopicPartition& partition, const Decided& decided);

struct SourceStart {
  enum class Read : std::uint8_t {
    kFromRange,   // at `range`
    kFromOldest,  // at the oldest record there is
    kAsAsked,     // at kafka.start
  };
  std::int64_t range = 0;  // where the first chunk of the partition begins
  // The first record to read. From `offset` on, if that is set.
  Read read = Read::kFromRange;
  std::optional<std::int64_t> offset = {};
  bool again = false;  // appended records were skipped
  bool operator==(const SourceStart&) const = default;
};

// `log_id`: of the topic of the log; empty: not known. What was appended to another log of that
// name is sketched again.
SourceStart source_start(const CommittedOffset& committed, const Decided& decided,
                         std::string_view log_id = {});

}  // namespace neardup
