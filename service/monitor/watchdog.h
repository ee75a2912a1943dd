// Detects a stage of the service that hangs in a call.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

#include "pipeline/base/enum_name.h"
#include "pipeline/base/mutex.h"
#include "service/log/log.h"

namespace neardup {

enum class ServiceStage : std::uint8_t { kReader, kDecider, kSender };
inline constexpr std::size_t kServiceStages = 3;
inline constexpr std::array<std::string_view, kServiceStages> kServiceStageNames{
    "reader", "decider", "sender"};
constexpr std::span<const std::string_view> names(ServiceStage) { return kServiceStageNames; }

// A call of a library that takes longer counts as hung.
inline constexpr std::chrono::seconds kLongestCall{300};

// Measures how long a busy stage shows no sign of life. A pause of the whole process (SIGSTOP, a
// suspended machine) counts for 5 seconds at most.
class StageWatch {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Hung = std::function<void(ServiceStage stage, std::chrono::seconds busy)>;
  // look() calls `hung` once for each call that has taken `limit`.
  StageWatch(std::chrono::seconds limit, Hung hung) : limit_(limit), hung_(std::move(hung)) {}

  // Called by the one thread of a stage. Requires: busy and idle alternate, alive only while busy.
  void busy(ServiceStage stage) { ++beat(stage); }
  void alive(ServiceStage stage) { beat(stage) += 2; }  // as if the call began now
  void idle(ServiceStage stage) { ++beat(stage); }

  // `progress` returns a number that changes as long as the work that `stage` waits for proceeds. A
  // change is a sign of life of `stage`. Called by look(). Requires: set before the first look().
  void waits_for(ServiceStage stage, std::function<std::uint64_t()> progress) {
    seen_[static_cast<std::size_t>(stage)].progress_of = std::move(progress);
  }

  // Called by one thread, about once a second.
  void look(Time now);

 private:
  struct Seen {
    std::uint64_t beat = 0;
    std::uint64_t progress = 0;
    std::chrono::nanoseconds busy{0};
    bool told = false;
    std::function<std::uint64_t()> progress_of = [] { return 0; };
  };
  std::atomic<std::uint64_t>& beat(ServiceStage stage) {
    return beats_[static_cast<std::size_t>(stage)];
  }
  void look_at(ServiceStage stage, std::chrono::nanoseconds passed);

  const std::chrono::seconds limit_;
  const Hung hung_;
  std::array<std::atomic<std::uint64_t>, kServiceStages> beats_{};  // odd while busy
  std::array<Seen, kServiceStages> seen_{};
  Time last_look_{};
};

// A stage is busy while this lives.
class Busy {
 public:
  Busy(StageWatch& watch, ServiceStage stage) : watch_(watch), stage_(stage) {
    watch_.busy(stage_);
  }
  ~Busy() { watch_.idle(stage_); }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  StageWatch& watch_;
  const ServiceStage stage_;
};

// A thread that calls look() every second, from construction to destruction. Requires: `watch`
// outlives it.
class Watchdog {
 public:
  explicit Watchdog(StageWatch& watch);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void run();

  StageWatch& watch_;
  Mutex mutex_;
  ConditionVariable wake_;
  bool stop_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

// Logs the stage and ends the process with status 70, without unwinding the thread that hangs: the
// supervisor starts it again. Requires: `log` outlives the result.
StageWatch::Hung end_process(Log& log);

}  // namespace neardup
