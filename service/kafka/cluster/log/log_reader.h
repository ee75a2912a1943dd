// Reads the log of a cluster: message after message, or a part of it at once, to count it or to
// find the placement that holds there. Batches that were decided from answers of shards carry their
// placement; where only its epoch is known, it is looked up in the log.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "config/service_options.h"
#include "pipeline/rule/rule.h"
#include "service/cluster/decided.h"
#include "service/cluster/log_order.h"
#include "service/cluster/placement.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/cluster/log/undecided_log.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/topic_scan.h"
#include "service/log/log.h"

namespace neardup {

// Throws Failure(kUnavailable) with both offsets when `topic`, which has one partition, begins
// behind `offset` by now. `who`: whose offset it is, such as "the shard". Throws Stopped.
void require_messages_from(const Consumer& consumer, const std::string& topic, std::int64_t offset,
                           std::string_view who, RetryPolicy& retry);

// One thread.
class LogReader {
 public:
  // `consumer` and `log` must outlive this.
  LogReader(const Consumer& consumer, const ClusterOptions& options, std::int64_t offset, Log& log);

  // Gives messages to `undecided` until none comes in time, or it has the records below `most`.
  // True: there was one. Throws as TopicScan::next and UndecidedLog::take do.
  bool read(std::chrono::milliseconds wait, Seq most, UndecidedLog& undecided);

 private:
  TopicScan scan_;
};

// A part of the log, counted.
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

// Placement `epoch`, under which something is decided. Nothing: the log or the topic of decisions
// does not reach back to it. Waits for brokers. Throws Stopped.
std::optional<Placement> find_placement(const Consumer& consumer, const ClusterOptions& options,
                                        const ClusterHead& head, std::uint64_t epoch,
                                        const Rule& rule, RetryPolicy& retry);

// The one that holds at `decided`. Throws Failure(kUnavailable) when it cannot be found any more.
Placement placement_at(const Consumer& consumer, const ClusterOptions& options,
                       const ClusterHead& head, const Decided& decided, const Rule& rule,
                       RetryPolicy& retry);

}  // namespace neardup
