#include "gpu/shared_backend.h"

#include <stdexcept>
#include <utility>

namespace neardup {

SharedBackend::SharedBackend(Make make, std::unique_ptr<Backend> cpu, Clock::duration retry_after,
                             std::function<Clock::time_point()> now)
    : make_(std::move(make)),
      cpu_(std::move(cpu)),
      retry_after_(retry_after),
      now_(std::move(now)),
      device_(make_()) {
  name_ = device_->description();
  preferred_call_ = device_->preferred_call();
}

void SharedBackend::sketch(const TextBatch& texts, std::span<const SketchTask> tasks,
                           SketchRows& rows) {
  if (const auto on = device()) {
    try {
      return on->sketch(texts, tasks, rows);
    } catch (const DeviceFailure& failure) {
      failed(on, failure);
    }
  }
  cpu_->sketch(texts, tasks, rows);
  const MutexLock lock(mutex_);
  before_.documents_on_cpu += tasks.size();
}

// The backend of the device, recreated when a retry is due. Other threads wait meanwhile, less than
// a second.
std::shared_ptr<Backend> SharedBackend::device() {
  const MutexLock lock(mutex_);
  const bool is_time = failed_.expired() && now_() >= retry_at_;
  if (device_ || !is_time) return device_;
  try {
    device_ = make_();
  } catch (const std::runtime_error& failure) {  // too little memory on it, too
    note(failure);
  }
  return device_;
}

// When several threads see the same failure, the first one counts it.
void SharedBackend::failed(const std::shared_ptr<Backend>& device, const DeviceFailure& failure) {
  const MutexLock lock(mutex_);
  if (device_ != device) return;
  before_.times += device->report().times;
  note(failure);
  failed_ = device_;
  device_.reset();
}

void SharedBackend::note(const std::runtime_error& failure) {
  ++before_.failures;
  before_.last_failure = failure.what();
  retry_at_ = now_() + retry_after_;
}

std::string SharedBackend::description() const { return name_; }

CallSize SharedBackend::preferred_call() const { return preferred_call_; }

BackendReport SharedBackend::report() const {
  const MutexLock lock(mutex_);
  BackendReport report = before_;
  if (device_) report += device_->report();
  return report;
}

}  // namespace neardup
