// A device for searches that may fail: the caller repeats on the CPU what failed, and the device is
// tried again later.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "gpu/backend.h"
#include "pipeline/base/mutex.h"

namespace neardup {

template <class Device>
class RetriedDevice {
 public:
  // Makes what runs on the device. Throws DeviceFailure when that fails, and Failure(kConfig) when
  // it cannot be with these settings.
  using Make = std::function<std::unique_ptr<Device>()>;
  using OnFailure = std::function<void(const std::string&)>;
  using Clock = std::chrono::steady_clock;

  // `on_failure` is called for each failure. `now` is for tests. Throws Failure(kConfig) as `make`.
  RetriedDevice(Make make, OnFailure on_failure,
                Clock::duration retry_after = std::chrono::seconds(30),
                std::function<Clock::time_point()> now = Clock::now)
      : make_(std::move(make)),
        on_failure_(std::move(on_failure)),
        retry_after_(retry_after),
        now_(std::move(now)),
        retry_at_(now_()) {
    run([](Device&) {});
  }

  // Calls use(device), for one thread at a time. False: there is no device now, or it failed, and
  // what `use` did means nothing.
  template <class Use>
  bool run(const Use& use) EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    try {
      if (!device_ && now_() >= retry_at_) device_ = make_();
      if (!device_) return false;
      use(*device_);
      return true;
    } catch (const DeviceFailure& failure) {
      device_.reset();
      retry_at_ = now_() + retry_after_;
      on_failure_(failure.what());
      return false;
    }
  }

 private:
  Make make_;
  OnFailure on_failure_;
  Clock::duration retry_after_;
  std::function<Clock::time_point()> now_;

  Mutex mutex_;
  std::unique_ptr<Device> device_ GUARDED_BY(mutex_);  // null: it has failed
  Clock::time_point retry_at_ GUARDED_BY(mutex_);
};

}  // namespace neardup
