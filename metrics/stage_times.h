// Seconds that each stage of the pipeline worked, summed over its threads.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string_view>

namespace neardup {

// kResolve is all of look-up and decision, kDecideSerial the part of it that one thread does for
// one record after another.
enum class Stage : std::uint8_t { kRead, kPrepare, kResolve, kWriteFlags, kCommit, kDecideSerial };
inline constexpr std::array<std::string_view, 6> kStageNames{
    "read", "prepare", "resolve", "write_flags", "commit", "decide_serial"};

class StageTimes {
 public:
  void add(Stage stage, std::chrono::nanoseconds time) {
    nanoseconds_[static_cast<std::size_t>(stage)].fetch_add(time.count(),
                                                            std::memory_order_relaxed);
  }
  double seconds(Stage stage) const {
    return static_cast<double>(
               nanoseconds_[static_cast<std::size_t>(stage)].load(std::memory_order_relaxed)) /
           1e9;
  }

 private:
  std::array<std::atomic<std::int64_t>, kStageNames.size()> nanoseconds_{};
};

// Times its own scope.
class StageTimer {
 public:
  StageTimer(StageTimes& times, Stage stage) : times_(times), stage_(stage) {}
  ~StageTimer() { times_.add(stage_, std::chrono::steady_clock::now() - start_); }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  StageTimes& times_;
  Stage stage_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace neardup
