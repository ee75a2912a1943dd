// Mutexes that clang's thread-safety analysis understands, and its annotations. Each build by clang
// has the analysis; other compilers see the standard types inside and nothing else.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>

#if defined(__clang__)
#define NEARDUP_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define NEARDUP_THREAD_ANNOTATION(x)
#endif

// Of a field: read and written with the mutex held only.
#define GUARDED_BY(mutex) NEARDUP_THREAD_ANNOTATION(guarded_by(mutex))
// Of a function: the caller holds the mutex.
#define REQUIRES(...) NEARDUP_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
// Of a function: the caller holds the mutex, perhaps with other readers.
#define REQUIRES_SHARED(...) NEARDUP_THREAD_ANNOTATION(requires_shared_capability(__VA_ARGS__))
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

// A mutex that several threads may hold at once to read what it guards.
class NEARDUP_THREAD_ANNOTATION(capability("mutex")) SharedMutex {
 public:
  SharedMutex() = default;
  SharedMutex(const SharedMutex&) = delete;
  SharedMutex& operator=(const SharedMutex&) = delete;

 private:
  friend class WriterLock;
  friend class ReaderLock;
  std::shared_mutex mutex_;
};

// Holds a shared mutex alone.
class NEARDUP_THREAD_ANNOTATION(scoped_lockable) WriterLock {
 public:
  explicit WriterLock(SharedMutex& mutex) NEARDUP_THREAD_ANNOTATION(acquire_capability(mutex))
      : lock_(mutex.mutex_) {}
  ~WriterLock() NEARDUP_THREAD_ANNOTATION(release_capability()) = default;
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

 private:
  friend class WriterCondition;
  std::unique_lock<std::shared_mutex> lock_;
};

// Holds a shared mutex with other readers.
class NEARDUP_THREAD_ANNOTATION(scoped_lockable) ReaderLock {
 public:
  explicit ReaderLock(SharedMutex& mutex)
      NEARDUP_THREAD_ANNOTATION(acquire_shared_capability(mutex))
      : lock_(mutex.mutex_) {}
  ~ReaderLock() NEARDUP_THREAD_ANNOTATION(release_generic_capability()) = default;
  ReaderLock(const ReaderLock&) = delete;
  ReaderLock& operator=(const ReaderLock&) = delete;

 private:
  std::shared_lock<std::shared_mutex> lock_;
};

// As ConditionVariable, for threads that hold a shared mutex alone.
class WriterCondition {
 public:
  void wait(WriterLock& lock) { condition_.wait(lock.lock_); }
  void notify_all() { condition_.notify_all(); }

 private:
  std::condition_variable_any condition_;
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
