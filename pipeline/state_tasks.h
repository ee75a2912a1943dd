// Work for the thread that owns the state, from other threads: done between two batches, in the
// order in which it came.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "pipeline/core/mutex.h"
#include "pipeline/state_access.h"

namespace neardup {

class Errands {
 public:
  using Work = std::function<void(StateAccess&)>;
  enum class Fate : std::uint8_t {
    kDone,
    kClosed,  // nobody takes errands: not yet, or no longer
    kFull,    // too many wait already
    kLate,    // not begun in time
  };

  // At most `most` errands wait.
  explicit Errands(std::size_t most) : most_(most) {}

  // Any thread: waits until `work` is done; throws what it throws. It has not been begun, and will
  // not be, unless the fate is kDone. Once begun it is waited for, however long it takes.
  Fate run(Work work, std::chrono::milliseconds patience);

  // The owner of the state: from now on errands are taken; `wake` is called for each, from any
  // thread.
  void open(std::function<void()> wake);
  // The owner: does all that waits.
  void do_all(StateAccess& state);
  // The owner: no more. Those that wait are closed.
  void close();

 private:
  enum class Stage : std::uint8_t { kWaiting, kBegun, kDone, kClosed };
  struct Errand {
    Work work;
    Stage stage = Stage::kWaiting;
    std::exception_ptr error;
  };

  std::shared_ptr<Errand> next();
  void finish(Errand& errand, std::exception_ptr error);

  const std::size_t most_;
  Mutex mutex_;  // also guards the stages and errors of errands that `run` shares with the owner
  ConditionVariable changed_;
  std::deque<std::shared_ptr<Errand>> waiting_ GUARDED_BY(mutex_);
  std::function<void()> wake_ GUARDED_BY(mutex_);  // empty: closed
};

// Takes errands as long as it lives. Requires: `errands` outlives it.
class ErrandsOpen {
 public:
  ErrandsOpen(Errands& errands, std::function<void()> wake) : errands_(errands) {
    errands_.open(std::move(wake));
  }
  ~ErrandsOpen() { errands_.close(); }
  ErrandsOpen(const ErrandsOpen&) = delete;
  ErrandsOpen& operator=(const ErrandsOpen&) = delete;

 private:
  Errands& errands_;
};

}  // namespace neardup
