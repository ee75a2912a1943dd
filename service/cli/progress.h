// The progress of a run on stderr: a line that is drawn again on a terminal, or an event a few
// seconds.
#pragma once

#include <chrono>
#include <cstdint>

#include "pipeline/pipeline.h"
#include "service/file/file_source.h"

namespace neardup {

enum class ProgressForm : std::uint8_t {
  kNone,
  kLine,    // documents, duplicates, files, MB/s, and a bar with the time left
  kEvents,  // {"event":"progress",…} in a line each
};

// The line on a terminal, nothing elsewhere.
ProgressForm usual_progress();

class ProgressLine {
 public:
  explicit ProgressLine(ProgressForm form = usual_progress());
  ~ProgressLine();

  // Writes a few times a second, or an event each five seconds.
  void show(const PipelineCounts& counts, const InputProgress& input);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  ProgressForm form_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace neardup
