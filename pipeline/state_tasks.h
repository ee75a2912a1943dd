// Runs work of other threads on the thread that owns the state: between two batches, or, if it only
// reads, between two chunks; in the order of arrival.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "pipeline/base/mutex.h"
#include "pipeline/state_access.h"

namespace neardup {

class StateTasks {
 public:
  using Work = std::function<void(StateAccess&)>;
  enum class Outcome : std::uint8_t {
    kDone,
    kClosed,  // nobody takes tasks: not yet, or no longer
    kFull,    // too many wait already
    kLate,    // not begun in time
  };

  // At most `most` tasks wait.
  explicit StateTasks(std::size_t most) : most_(most) {}

  // Any thread: waits until `work` is done, and rethrows its exceptions. `timeout` limits the wait
  // for its start, not its duration. Unless the outcome is kDone, `work` never starts.
  Outcome run(Work work, std::chrono::milliseconds timeout);

  // The owner of the state: accepts tasks from now on, and calls `wake` for each, from any thread.
  void open(std::function<void()> wake);
  // The owner: runs all waiting tasks.
  void do_all(StateAccess& state);
  // The owner: runs one. False: none waits.
  bool do_next(StateAccess& state);
  // The owner: accepts no more tasks. Waiting ones end with kClosed.
  void close();

 private:
  enum class Stage : std::uint8_t { kWaiting, kBegun, kDone, kClosed };
  struct Task {
    Work work;
    Stage stage = Stage::kWaiting;
    std::exception_ptr error;
  };

  std::shared_ptr<Task> next();
  void finish(Task& task, std::exception_ptr error);

  const std::size_t most_;
  Mutex mutex_;  // also guards the stages and errors of tasks that `run` shares with the owner
  ConditionVariable changed_;
  std::deque<std::shared_ptr<Task>> waiting_ GUARDED_BY(mutex_);
  std::function<void()> wake_ GUARDED_BY(mutex_);  // empty: closed
};

// Accepts tasks during its lifetime. Requires: `tasks` outlives it.
class AcceptStateTasks {
 public:
  AcceptStateTasks(StateTasks& tasks, std::function<void()> wake) : tasks_(tasks) {
    tasks_.open(std::move(wake));
  }
  ~AcceptStateTasks() { tasks_.close(); }
  AcceptStateTasks(const AcceptStateTasks&) = delete;
  AcceptStateTasks& operator=(const AcceptStateTasks&) = delete;

 private:
  StateTasks& tasks_;
};

}  // namespace neardup
