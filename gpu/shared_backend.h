// A device and the cores share the work: the device takes the calls that it has room for, and cores
// do the rest. It starts on a separate thread while they work, and so it does again after a
// failure.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "gpu/backend.h"
#include "pipeline/base/mutex.h"

namespace neardup {

class SharedBackend : public Backend {
 public:
  // Makes the backend of the device. Throws std::exception when that fails.
  using Make = std::function<std::unique_ptr<Backend>()>;
  using Clock = std::chrono::steady_clock;

  // The device starts with the first call that comes so long after construction, and for the first
  // time at most once. `now` is for tests.
  SharedBackend(Make make, std::unique_ptr<Backend> cpu, Clock::duration start_after,
                Clock::duration retry_after, std::function<Clock::time_point()> now = Clock::now);

  // The device is there from the start. Throws what `make` throws.
  SharedBackend(Make make, std::unique_ptr<Backend> cpu, Clock::duration retry_after,
                std::function<Clock::time_point()> now = Clock::now);

  // Waits for a device that is just starting.
  ~SharedBackend() override;

  // What cores do of a call they do in parts, and offer what is left to the device after each.
  void sketch(const TextBatch& texts, std::span<const SketchTask> tasks, SketchRows& rows) override;
  std::string description() const override;
  CallSize preferred_call() const override;
  BackendReport report() const override;

 private:
  std::shared_ptr<Backend> device();
  bool sketch_on(const std::shared_ptr<Backend>& device, const TextBatch& texts,
                 std::span<const SketchTask> tasks, SketchRows& rows);
  std::size_t part_for_cores(const TextBatch& texts, std::span<const SketchTask> tasks) const;
  void done_by_cores(std::size_t documents);
  void start();
  void started(std::shared_ptr<Backend> device) REQUIRES(mutex_);
  void failed(const std::shared_ptr<Backend>& device, const DeviceFailure& failure);
  void cannot_start(const std::exception& failure) REQUIRES(mutex_);
  void note(const std::exception& failure) REQUIRES(mutex_);

  Make make_;
  std::unique_ptr<Backend> cpu_;
  Clock::duration retry_after_;
  std::function<Clock::time_point()> now_;

  mutable Mutex mutex_;
  std::shared_ptr<Backend> device_ GUARDED_BY(mutex_);  // null: it has not started, or has failed
  std::weak_ptr<Backend> failed_ GUARDED_BY(mutex_);    // expires when no thread uses it any more
  std::string name_ GUARDED_BY(mutex_);                 // of the device; empty: it has never worked
  std::string why_not_ GUARDED_BY(mutex_);              // why it could not be made the first time
  Clock::time_point start_at_ GUARDED_BY(mutex_);       // the first time, or again
  bool starting_ GUARDED_BY(mutex_) = false;
  std::thread starter_ GUARDED_BY(mutex_);
  // Totals of devices that failed, and of work done without a device.
  BackendReport before_ GUARDED_BY(mutex_);
};

}  // namespace neardup
