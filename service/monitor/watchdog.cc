#include "service/monitor/watchdog.h"

#include <unistd.h>

#include <algorithm>

#include "pipeline/base/failure.h"

namespace neardup {
namespace {

constexpr std::chrono::seconds kBetweenLooks{1};
constexpr std::chrono::seconds kMostBetweenLooks{5};
constexpr unsigned kTimeToLog = 10;  // seconds

}  // namespace

void StageWatch::look(Time now) {
  const auto passed = std::min<std::chrono::nanoseconds>(now - last_look_, kMostBetweenLooks);
  last_look_ = now;
  for (std::size_t i = 0; i < kServiceStages; ++i) look_at(static_cast<ServiceStage>(i), passed);
}

void StageWatch::look_at(ServiceStage stage, std::chrono::nanoseconds passed) {
  const std::uint64_t now = beat(stage);
  Seen& seen = seen_[static_cast<std::size_t>(stage)];
  const bool is_busy = now % 2 == 1;
  const std::uint64_t progress = is_busy ? seen.progress_of() : 0;
  if (now != seen.beat || progress != seen.progress || !is_busy) {
    seen.beat = now;
    seen.progress = progress;
    seen.busy = {};
    seen.told = false;
    return;
  }
  seen.busy += passed;
  if (seen.busy < limit_ || seen.told) return;
  seen.told = true;
  hung_(stage, std::chrono::duration_cast<std::chrono::seconds>(seen.busy));
}

Watchdog::Watchdog(StageWatch& watch) : watch_(watch), thread_([this] { run(); }) {}

Watchdog::~Watchdog() {
  {
    const MutexLock lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Watchdog::run() {
  MutexLock lock(mutex_);
  while (!stop_) {
    if (wake_.wait_until(lock, std::chrono::steady_clock::now() + kBetweenLooks)) continue;
    watch_.look(std::chrono::steady_clock::now());
  }
}

StageWatch::Hung end_process(Log& log) {
  return [&log](ServiceStage stage, std::chrono::seconds busy) {
    // The log itself may hang, on a pipe that nobody reads: then SIGALRM ends the process.
    ::alarm(kTimeToLog);
    log.error("a stage hangs, the process ends",
              {{"stage", name(stage)}, {"seconds", busy.count()}});
    ::_exit(static_cast<int>(Exit::kInternal));
  };
}

}  // namespace neardup
