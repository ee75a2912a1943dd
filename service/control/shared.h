// Resources of requests while a service runs, and the wait for requests at its end.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "pipeline/base/failure.h"
#include "pipeline/base/mutex.h"
#include "service/control/search_request.h"
#include "storage/store.h"

namespace neardup {

// Something that another thread owns, and that may be used by several threads at once.
template <typename T>
class Shared {
 public:
  // Any thread. What `use(T&)` returns; throws Failure(kUnavailable) while nothing is open, and as
  // `use`.
  template <typename Use>
  auto use(const Use& use) EXCLUDES(mutex_) {
    const Turn turn(*this);
    return use(turn.value());
  }

  // From now on `value` is used.
  void open(T& value) EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    value_ = &value;
  }
  // Waits for the uses that are under way.
  void close() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    value_ = nullptr;
    while (users_ != 0) changed_.wait(lock);
  }

 private:
  class Turn {
   public:
    explicit Turn(Shared& shared) : shared_(shared), value_(shared.begin()) {}
    ~Turn() { shared_.end(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    T& value() const { return *value_; }

   private:
    Shared& shared_;
    T* value_;
  };

  T* begin() EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (value_ == nullptr)
      throw Failure(Exit::kUnavailable, "the service is not deciding: retry later");
    ++users_;
    return value_;
  }
  void end() EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    --users_;
    changed_.notify_all();
  }

  Mutex mutex_;
  ConditionVariable changed_;
  T* value_ GUARDED_BY(mutex_) = nullptr;  // null: closed
  std::uint32_t users_ GUARDED_BY(mutex_) = 0;
};

// `value` may be used during its lifetime.
template <typename T>
class OpenShared {
 public:
  OpenShared(Shared<T>& shared, T& value) : shared_(shared) { shared_.open(value); }
  ~OpenShared() { shared_.close(); }
  OpenShared(const OpenShared&) = delete;
  OpenShared& operator=(const OpenShared&) = delete;

 private:
  Shared<T>& shared_;
};

// Answers a request.
using SearchAnswer = std::function<std::string(const SearchRequest& request)>;
using Searches = Shared<const SearchAnswer>;

// Only what Store lets any thread call.
using SharedStore = Shared<Store>;

}  // namespace neardup
