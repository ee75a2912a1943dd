#include "python/binding/owner.h"

#include <stdlib.h>

#include <atomic>
#include <chrono>
#include <cstdio>

#include "python/binding/errors.h"

namespace neardup {

namespace nb = nanobind;

namespace {

constexpr std::chrono::milliseconds kSignalStep{50};

std::atomic<bool> interpreter_has_ended{false};
std::atomic<bool> had_session{false};

}  // namespace

WithoutGil::~WithoutGil() {
  while (interpreter_has_ended) pause();
  PyEval_RestoreThread(state_);
}

void WithoutGil::interpreter_ends() { interpreter_has_ended = true; }

void end_without_threads() {
  if (!had_session) return;
  on_exit(
      [](int status, void* /*unused*/) {
        std::fflush(nullptr);
        _exit(status);
      },
      nullptr);
}

SessionOwner::SessionOwner(const std::optional<std::string>& path,
                           const std::vector<std::string>& sets)
    : pid_(getpid()) {
  const WithoutGil released;
  had_session = true;
  session_ = std::make_unique<Session>(path, sets);
}

SessionOwner::~SessionOwner() {
  if (pid_ != getpid()) static_cast<void>(session_.release());
}

Session& SessionOwner::session() {
  if (!session_) throw Closed("the state is closed");
  return *session_;
}

// True: the session is this thread's.
bool SessionOwner::wait_a_while() {
  const WithoutGil released;
  MutexLock lock(mutex_);
  if (in_call_) changed_.wait_until(lock, std::chrono::steady_clock::now() + kSignalStep);
  if (in_call_) return false;
  in_call_ = true;
  return true;
}

SessionOwner::Turn::Turn(SessionOwner& owner) : owner_(owner) {
  if (owner.pid_ != getpid()) throw Forked();
  while (!owner.wait_a_while()) {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
}

SessionOwner::Turn::~Turn() {
  {
    const MutexLock lock(owner_.mutex_);
    owner_.in_call_ = false;
  }
  owner_.changed_.notify_one();
}

void SessionOwner::close() {
  if (pid_ != getpid()) return;
  const Turn turn(*this);
  const WithoutGil released;
  session_.reset();
}

}  // namespace neardup
