// The session of a Python object: one call at a time, in the process that opened it.
#pragma once

#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/base/mutex.h"
#include "python/binding/session.h"

namespace neardup {

// Releases the GIL. Once the interpreter ends, threads other than the main one wait in its destructor
// for the end of the process: Python would end them by an exception, which a destructor cannot pass
// on.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil();
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

  // The interpreter ends: from the main thread, which has the GIL, when no call is running.
  static void interpreter_ends();

 private:
  PyThreadState* state_;
};

// In a process that was forked off: its end no longer waits for threads of the store, which it does
// not have.
void end_without_threads();

class SessionOwner {
 public:
  SessionOwner(const std::optional<std::string>& path, const std::vector<std::string>& sets);
  // In a process that was forked off, the session is left as it is: its files belong to the parent.
  ~SessionOwner();
  SessionOwner(const SessionOwner&) = delete;
  SessionOwner& operator=(const SessionOwner&) = delete;

  // Calls work(session) without the GIL, once no other thread is in one. A signal, such as Ctrl-C,
  // ends the wait for those. Throws Forked and Closed. Requires: the GIL.
  template <class Work>
  auto call(Work work) {
    const Turn turn(*this);
    const WithoutGil released;
    return work(session());
  }

  // Waits for other threads. Later calls throw Closed. Requires: the GIL.
  void close();

  bool is_open() const { return session_ != nullptr && pid_ == getpid(); }

 private:
  // Holds the session.
  class Turn {
   public:
    explicit Turn(SessionOwner& owner);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    SessionOwner& owner_;
  };

  Session& session();
  bool wait_a_while();

  std::unique_ptr<Session> session_;
  const pid_t pid_;
  Mutex mutex_;
  ConditionVariable changed_;
  bool in_call_ GUARDED_BY(mutex_) = false;
};

}  // namespace neardup
