#include "service/kafka/cluster/log/find_placement.h"

#include <fmt/core.h>

#include <utility>

#include "pipeline/base/failure.h"
#include "service/kafka/cluster/log/log_scan.h"
#include "service/kafka/read/reading.h"

namespace neardup {

std::optional<Placement> find_placement(const Consumer& consumer, const ClusterOptions& options,
                                        const ClusterHead& head, std::uint64_t epoch,
                                        const Rule& rule, RetryPolicy& retry) {
  const auto of_batch = [epoch](const Decided& batch) {
    return batch.log.epoch == epoch ? batch.placement : std::nullopt;
  };
  if (auto found = of_batch(head.last)) return found;
  const auto change = find_epoch(consumer, options, head, epoch, retry);
  if (!change) return {};
  if (auto found = of_batch(change->after)) return found;
  const TopicPartition log{options.log_topic(), 0};
  if (await_watermarks(consumer, log, retry).low > change->before.offset) return {};
  const auto is_there = [&](const LogPart& part) { return part.state.epoch >= epoch; };
  return scan_log(consumer, log.topic, change->before, change->after.offset + 1, rule, head.uuid,
                  is_there, retry)
      .placement;
}

Placement placement_at(const Consumer& consumer, const ClusterOptions& options,
                       const ClusterHead& head, const Decided& decided, const Rule& rule,
                       RetryPolicy& retry) {
  const std::uint64_t epoch = decided.log.epoch;
  if (epoch == 0) return first_placement();
  if (decided.placement) return *decided.placement;
  auto found = find_placement(consumer, options, head, epoch, rule, retry);
  if (found) return *std::move(found);
  throw Failure(Exit::kUnavailable,
                fmt::format("the topics {} and {} no longer have placement {}, so it is not known "
                            "which shards answer: keep the log longer (retention.ms)",
                            options.log_topic(), options.decisions_topic(), epoch));
}

}  // namespace neardup
