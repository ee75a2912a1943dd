// Sees when a stage of the service hangs inside one call.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>
#include <thread>
#include <utility>

#include "pipeline/core/mutex.h"
#include "service/log/log.h"

namespace neardup {

enum class ServiceStage : std::uint8_t { kReader, kDecider, kSender };
inline constexpr std::size_t kServiceStages = 3;
std::string_view stage_name(ServiceStage stage);

// Counts the time in which a busy stage shows no sign of life. Time in which the whole process
// stood still (SIGSTOP, a machine asleep) counts for 5 seconds at most.
class StageWatch {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Hung = std::function<void(ServiceStage stage, std::chrono::seconds busy)>;
  // `hung` is called in look(), once for each call that takes `limit`.
  StageWatch(std::chrono::seconds limit, Hung hung) : limit_(limit), hung_(std::move(hung)) {}

  // For the one thread of each stage. Requires: busy and idle take turns, alive only while busy.
  void busy(ServiceStage stage) { ++beat(stage); }
  void alive(ServiceStage stage) { beat(stage) += 2; }  // as if the call began now
  void idle(ServiceStage stage) { ++beat(stage); }

  // What `stage` may wait for: a number that changes as that gets on, which counts as a sign of
  // life of a busy stage. Asked for in look(). Requires: set before the first look.
  void waits_for(ServiceStage stage, std::function<std::uint64_t()> progress) {
    seen_[static_cast<std::size_t>(stage)].progress_of = std::move(progress);
  }

  // For one thread, about once a second.
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

// A thread that looks every second, from construction to destruction. Requires: `watch` outlives
// it.
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
