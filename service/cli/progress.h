// A progress line on a terminal: documents, MB/s, duplicates, time left. Silent elsewhere.
#pragma once

#include <chrono>
#include <cstdint>

#include "pipeline/pipeline.h"

namespace neardup {

class ProgressLine {
 public:
  // Shows itself only when stderr is a terminal.
  ProgressLine();
  ~ProgressLine();

  // `done` of `total` bytes of input, as stored; `total` 0: not known. Redraws a few times a
  // second.
  void show(const PipelineCounts& counts, std::uint64_t done, std::uint64_t total);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool on_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_{};
};

}  // namespace neardup
