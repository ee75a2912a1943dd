// How fast a service goes: one log line every ten seconds in which there was something to do, one
// at its end.
#pragma once

#include <chrono>

#include "pipeline/pipeline.h"
#include "service/log/log.h"

namespace neardup {

class RateLog {
 public:
  explicit RateLog(Log& log) : log_(log) {}

  // Call it often.
  void show(const PipelineCounts& counts);
  void summary(const PipelineCounts& counts);

 private:
  using Clock = std::chrono::steady_clock;

  Log& log_;
  Clock::time_point last_ = Clock::now();
  PipelineCounts shown_;
};

}  // namespace neardup
