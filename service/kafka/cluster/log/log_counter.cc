#include "service/kafka/cluster/log/log_counter.h"

#include <fmt/core.h>

#include <utility>

namespace neardup {
namespace {

constexpr std::chrono::seconds kBetweenWarnings{10};

LogUse use_of(LogOutcome outcome) {
  switch (outcome) {
    case LogOutcome::kChunk:
    case LogOutcome::kPlacement:
      return LogUse::kCounted;
    case LogOutcome::kSeen:
      return LogUse::kSeen;
    case LogOutcome::kGap:
      return LogUse::kGap;
    case LogOutcome::kVoidPlacement:
      return LogUse::kVoidPlacement;
    case LogOutcome::kOtherRule:
      return LogUse::kOtherRule;
    case LogOutcome::kOtherCluster:
      return LogUse::kOtherCluster;
    case LogOutcome::kDamaged:
    case LogOutcome::kNewerFormat:
      break;
  }
  return LogUse::kDamaged;
}

std::string_view name_of(LogUse use) { return names(use)[static_cast<std::size_t>(use)]; }

// What happens in every cluster: chunks are written twice, and placements from the same one.
bool is_usual(LogUse use) {
  return use == LogUse::kCounted || use == LogUse::kSeen || use == LogUse::kVoidPlacement;
}

}  // namespace

Failure newer_log_message(std::int64_t offset) {
  return {Exit::kUnavailable,
          fmt::format("the message of the log at offset {} has a newer format: this program is "
                      "older than the one that wrote it. Upgrade deciders, shards and resolvers "
                      "before sketchers",
                      offset)};
}

LogCounter::LogCounter(const LogContext& context, LogState state)
    : decoder_(context.rule, context.cluster, context.simd),
      order_(std::move(state)),
      probe_(context.probe),
      passed_over_(context.log, kBetweenWarnings) {}

LogTurn LogCounter::take(std::int64_t offset, std::string_view bytes) {
  const LogOutcome decoded = decoder_.decode(bytes, message_);
  if (decoded == LogOutcome::kNewerFormat) return {.outcome = decoded};
  const LogTurn turn = order_.take(decoded, message_);
  const LogUse use = use_of(turn.outcome);
  probe_.log_message_read(use);
  if (is_usual(use)) return turn;
  // Lines are limited by their event: each reason has its own.
  passed_over_.write(LogLevel::kWarning,
                     fmt::format("message of the log skipped: {}", name_of(use)),
                     {{"offset", offset}});
  return turn;
}

}  // namespace neardup
