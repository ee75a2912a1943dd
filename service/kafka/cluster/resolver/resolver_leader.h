// A resolver that has the lease of the log: reads the log and the answers, decides, and says when a
// batch ends and when shards are asked to answer again.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "config/service_options.h"
#include "metrics/event_metrics.h"
#include "service/kafka/cluster/log/log_reader.h"
#include "service/kafka/cluster/log/undecided_log.h"
#include "service/kafka/cluster/resolver/answer_book.h"
#include "service/kafka/cluster/resolver/answer_reader.h"
#include "service/kafka/cluster/resolver/resolved_batch.h"
#include "service/kafka/cluster/resolver/resolver_start.h"
#include "service/kafka/cluster/resolver/resolving.h"
#include "service/kafka/cluster/resolver/shard_waits.h"
#include "service/kafka/cluster/resolver/stall_clock.h"
#include "service/kafka/deliver/delivery_thread.h"
#include "service/serve/service_runner.h"

namespace neardup {

class ResolverLeader {
 public:
  // Waits for brokers. The references must outlive this. Throws Stopped.
  ResolverLeader(ServiceRunner& runner, ResolverStart start, DeliveryThread& thread,
                 ShardWaits& waits);

  // Decides until the runner's `ends`. What was decided and is not in `thread` by then is
  // forgotten. Rethrows what has ended the delivery; throws as AnswerReader::read and
  // LogReader::read do.
  void run();

 private:
  using Clock = std::chrono::steady_clock;

  void read_log(std::chrono::milliseconds wait);
  void follow_shards();
  Clock::time_point arrival_of(Seq seq);
  Resolving::Outcome decide_some();
  void await_log();
  void await_answers();
  std::chrono::milliseconds longest_wait(std::chrono::milliseconds most) const;
  void end_batch_if_due();
  bool is_news(Clock::duration since_last) const;
  void commit(std::optional<AgainReason> again);
  void report();

  ServiceRunner& runner_;
  EventMetrics& events_;
  const BatchOptions& options_;
  const std::uint32_t window_;
  const std::chrono::milliseconds idle_commit_;
  DeliveryThread& thread_;
  ShardWaits& waits_;
  UndecidedLog undecided_;
  LogReader log_;
  AnswerBook book_;
  AnswerReader answers_;
  std::optional<std::uint64_t> followed_;  // epoch of the newest placement whose answers are read
  ResolvedBatches batches_;
  Resolving resolving_;
  StallClock stall_;
  std::deque<std::pair<Seq, Clock::time_point>> arrivals_;  // records below a seq came by a time
  Clock::time_point batch_began_;                           // with its first record
  Clock::time_point last_commit_;
};

}  // namespace neardup
