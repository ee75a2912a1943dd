// Reads a part of a cluster's log, as each of its readers does, to count it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "pipeline/rule/rule.h"
#include "service/cluster/decided.h"
#include "service/cluster/log_order.h"
#include "service/cluster/placement.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/read/consumer.h"

namespace neardup {

struct LogPart {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::int64_t offset = 0;             // behind the last message
  LogState state;                      // there
  std::optional<Placement> placement;  // the last one that counts
};

// From the place of `from` to the offset `end`, or until `enough` is true, which is asked before
// each message. Throws Failure(kUnavailable) when the log does not have what follows `from`, or has
// messages of a newer format, and Stopped.
LogPart scan_log(const Consumer& consumer, const std::string& topic, const Decided& from,
                 std::int64_t end, const Rule& rule, const std::string& cluster,
                 const std::function<bool(const LogPart&)>& enough, RetryPolicy& retry);

}  // namespace neardup
