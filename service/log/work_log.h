// Log lines of a service about its rate and its device; the device in the summary of a run.
#pragma once

#include <chrono>
#include <string>

#include "gpu/backend.h"
#include "pipeline/pipeline.h"
#include "service/log/log.h"

namespace neardup {

// At most one line in ten seconds, and one at the end.
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

// One line when it starts, one when it fails, one when it works again, one at the end.
class GpuLog {
 public:
  explicit GpuLog(Log& log) : log_(log) {}

  // To be called often.
  void show(const BackendReport& report);
  // Where the time went; nothing where no device was used.
  void summary(const BackendReport& report);

 private:
  Log& log_;
  bool active_ = false;  // it was, at least once
  bool failed_ = false;
};

// Lines for people, each with its line break; empty if no device was used.
std::string gpu_report_text(const BackendReport& report);

// Requires: report.has_device(). `last_failure` is written only after a failure.
std::string gpu_report_json(const BackendReport& report);

}  // namespace neardup
