#include "service/kafka/cluster/log/log_fill.h"

#include <algorithm>

#include "service/kafka/client/handles.h"

namespace neardup {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenFillLooks{500};

}  // namespace

LogFill::LogFill(const Consumer& consumer, const ClusterOptions& options)
    : consumer_(consumer), options_(options), next_look_(steady_clock::now()) {}

void LogFill::look() {
  if (steady_clock::now() < next_look_) return;
  try {
    for (const Position& end : consumer_.ends({{options_.log_topic(), 0}})) end_ = end.offset;
  } catch (const KafkaError&) {
    // The last known end stays until the next look.
  }
  next_look_ = steady_clock::now() + kBetweenFillLooks;
}

bool LogFill::is_full(const LogAppender& appender, const Decided& decided) const {
  const std::int64_t end = std::max(end_.load(), appender.log_end());
  const std::int64_t messages = std::max<std::int64_t>(end - decided.offset, 0);
  return static_cast<std::uint64_t>(messages) * appender.mean_message_bytes() >
         options_.log.max_lag;
}

}  // namespace neardup
