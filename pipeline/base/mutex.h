// Mutexes that clang's thread-safety analysis understands, and its annotations. Each build by clang
// has the analysis; other compilers see the standard types inside and nothing else.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define NEARDUP_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define NEARDUP_THREAD_ANNOTATION(x)
#endif

// Of a field: read and written with the mutex held only.
#define GUARDED_BY(mutex) NEARDUP_THREAD_ANNOTATION(guarded_by(mutex))
// Of a function: the caller holds the mutex.
#define REQUIRES(...) NEARDUP_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
// Of a function: the caller does not hold the mutex, since the function locks it.
#define EXCLUDES(...) NEARDUP_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))
// Of a function that is right for a reason the analysis cannot see. Give the reason in a comment.
#define NO_THREAD_SAFETY_ANALYSIS NEARDUP_THREAD_ANNOTATION(no_thread_safety_analysis)

namespace neardup {

class NEARDUP_THREAD_ANNOTATION(capability("mutex")) Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

 private:
  friend class MutexLock;
  std::mutex mutex_;
};

// Holds a mutex from construction to destruction.
class NEARDUP_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) NEARDUP_THREAD_ANNOTATION(acquire_capability(mutex))
      : lock_(mutex.mutex_) {}
  ~MutexLock() NEARDUP_THREAD_ANNOTATION(release_capability()) = default;
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  friend class ConditionVariable;
  std::unique_lock<std::mutex> lock_;
};

// Waits may end without a notification: call them in a loop that tests the condition. There is no
// form that takes a predicate, because the analysis does not know which locks a lambda runs under.
class ConditionVariable {
 public:
  // The lock is released while the thread waits, and held again afterwards.
  void wait(MutexLock& lock) { condition_.wait(lock.lock_); }
  // False: `deadline` has passed.
  bool wait_until(MutexLock& lock, std::chrono::steady_clock::time_point deadline) {
    return condition_.wait_until(lock.lock_, deadline) == std::cv_status::no_timeout;
  }
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace neardup
