// Threads that wait for pieces of work, for calls so frequent that starting threads for each would
// cost too much (pipeline/base/in_threads.h starts them).
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "pipeline/base/mutex.h"

namespace neardup {

class Team {
 public:
  // `threads` includes the caller's. The others start with the first call that can use them.
  explicit Team(std::size_t threads) : others_(threads > 0 ? threads - 1 : 0) {}
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Calls work(piece) once for each piece < pieces, in the caller's thread and the others, and
  // returns when all are done. Rethrows the first exception. One call at a time.
  void share_out(std::size_t pieces, const std::function<void(std::size_t)>& work);

 private:
  using Work = std::function<void(std::size_t)>;

  void run();
  const Work* join_call(std::size_t& pieces);
  void leave_call();
  void take_pieces(const Work& work, std::size_t pieces);

  const std::size_t others_;
  std::vector<std::thread> threads_;
  std::atomic<std::size_t> next_{0};  // piece of the current call
  Mutex mutex_;
  ConditionVariable began_;
  ConditionVariable ended_;
  // Of the current call; null: there is none.
  const Work* work_ GUARDED_BY(mutex_) = nullptr;
  std::size_t pieces_ GUARDED_BY(mutex_) = 0;
  std::size_t busy_ GUARDED_BY(mutex_) = 0;  // other threads at work
  std::exception_ptr failure_ GUARDED_BY(mutex_);
  bool stop_ GUARDED_BY(mutex_) = false;
};

}  // namespace neardup
