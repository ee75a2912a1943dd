#include "service/log/rate_log.h"

namespace neardup {
namespace {

constexpr std::chrono::seconds kBetweenLines{10};

}  // namespace

void RateLog::show(const PipelineCounts& counts) {
  const Clock::time_point now = Clock::now();
  if (now - last_ < kBetweenLines) return;
  const double seconds = std::chrono::duration<double>(now - last_).count();
  const auto since = [&](Status status) { return counts.of(status) - shown_.of(status); };
  log_.info("rate", {{"documents_per_second",
                      static_cast<double>(counts.documents() - shown_.documents()) / seconds},
                     {"megabytes_per_second",
                      static_cast<double>(counts.input_bytes - shown_.input_bytes) / seconds / 1e6},
                     {"duplicates", since(Status::kExactDuplicate) + since(Status::kNearDuplicate)},
                     {"rejected", since(Status::kRejected)}});
  last_ = now;
  shown_ = counts;
}

void RateLog::summary(const PipelineCounts& counts) {
  log_.info("drained", {{"documents", counts.documents()},
                        {"unique", counts.of(Status::kUnique)},
                        {"exact_duplicates", counts.of(Status::kExactDuplicate)},
                        {"near_duplicates", counts.of(Status::kNearDuplicate)},
                        {"rejected", counts.of(Status::kRejected)}});
}

}  // namespace neardup
