// A backend on a device that may fail: the CPU repeats a call that failed, and the device is tried
// again later.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "gpu/backend.h"
#include "pipeline/base/mutex.h"

namespace neardup {

class SharedBackend : public Backend {
 public:
  // Makes the backend of the device. Throws std::runtime_error when that fails.
  using Make = std::function<std::unique_ptr<Backend>()>;
  using Clock = std::chrono::steady_clock;

  // `now` is for tests. Throws what the first `make` throws.
  SharedBackend(Make make, std::unique_ptr<Backend> cpu, Clock::duration retry_after,
                std::function<Clock::time_point()> now = Clock::now);

  void sketch(const TextBatch& texts, std::span<const SketchTask> tasks, SketchRows& rows) override;
  std::string description() const override;
  CallSize preferred_call() const override;
  BackendReport report() const override;

 private:
  std::shared_ptr<Backend> device();
  void failed(const std::shared_ptr<Backend>& device, const DeviceFailure& failure);
  void note(const std::runtime_error& failure) REQUIRES(mutex_);

  Make make_;
  std::unique_ptr<Backend> cpu_;
  Clock::duration retry_after_;
  std::function<Clock::time_point()> now_;
  std::string name_;
  CallSize preferred_call_;

  mutable Mutex mutex_;
  std::shared_ptr<Backend> device_ GUARDED_BY(mutex_);  // null: it has failed
  std::weak_ptr<Backend> failed_ GUARDED_BY(mutex_);    // expires when no thread uses it any more
  Clock::time_point retry_at_ GUARDED_BY(mutex_);
  // Totals of devices that failed, and of work done without a device.
  BackendReport before_ GUARDED_BY(mutex_);
};

}  // namespace neardup
