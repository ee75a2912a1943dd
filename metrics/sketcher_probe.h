// The events of a sketcher.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "metrics/labels.h"

namespace neardup {

// A batch whose messages are acknowledged and whose positions are committed.
struct AppendedBatchReport {
  std::array<std::uint64_t, kRecordKindNames.size()> records{};  // by RecordKind
  NoticeCounts notices{};
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;  // of the messages
  double append_seconds = 0;
  std::map<std::string, std::uint64_t, std::less<>> dead_letters;  // by reason
};

class SketcherProbe {
 public:
  virtual ~SketcherProbe() = default;
  virtual void batch_appended(const AppendedBatchReport& batch) = 0;
  // A partition is sketched again from its accepted position.
  virtual void source_restarted() = 0;
  virtual void append_failed() = 0;
  // Waited since the last call, because the log is full.
  virtual void paused(double seconds) = 0;
};

}  // namespace neardup
