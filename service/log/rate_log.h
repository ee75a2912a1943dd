// Log lines about the rate of a service: at most one in ten seconds, and one at its end.
#pragma once

#include <chrono>

#include "pipeline/pipeline.h"
#include "service/log/log.h"

namespace neardup {

class RateLog {
 public:
  explicit RateLog(Log& log) : log_(log) {}

  // To be called often.
  void show(const PipelineCounts& counts);
  void summary(const PipelineCounts& counts);

 private:
  using Clock = std::chrono::steady_clock;

  Log& log_;
  Clock::time_point last_ = Clock::now();
  PipelineCounts shown_;
};

}  // namespace neardup
