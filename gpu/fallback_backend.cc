#include "gpu/fallback_backend.h"

#include <mutex>
#include <utility>

namespace neardup {

struct FallbackBackend::State {
  std::mutex mutex;
  std::shared_ptr<Backend> device;  // null: it has failed
  std::weak_ptr<Backend> failed;    // until the last thread has left it
  std::string name;
  Clock::time_point retry_at;
  BackendReport before;  // of devices that failed, and what was done without one
};

FallbackBackend::FallbackBackend(Make make, std::unique_ptr<Backend> cpu,
                                 Clock::duration retry_after,
                                 std::function<Clock::time_point()> now)
    : make_(std::move(make)),
      cpu_(std::move(cpu)),
      retry_after_(retry_after),
      now_(std::move(now)),
      state_(std::make_unique<State>()) {
  state_->device = make_();
  state_->name = state_->device->description();
}

FallbackBackend::~FallbackBackend() = default;

void FallbackBackend::sketch(const TextBatch& texts, std::span<const SketchTask> tasks,
                             SketchRows& rows) {
  if (const auto on = device()) {
    try {
      return on->sketch(texts, tasks, rows);
    } catch (const DeviceFailure& failure) {
      failed(on, failure);
    }
  }
  cpu_->sketch(texts, tasks, rows);
  const std::lock_guard lock(state_->mutex);
  state_->before.documents_on_cpu += tasks.size();
}

// The device, made again when it is time. Threads that come meanwhile wait: it takes less than a
// second.
std::shared_ptr<Backend> FallbackBackend::device() {
  const std::lock_guard lock(state_->mutex);
  const bool is_time = state_->failed.expired() && now_() >= state_->retry_at;
  if (state_->device || !is_time) return state_->device;
  try {
    state_->device = make_();
  } catch (const DeviceFailure& failure) {
    ++state_->before.failures;
    state_->before.last_failure = failure.what();
    state_->retry_at = now_() + retry_after_;
  }
  return state_->device;
}

// Of all threads that meet one failure the first counts it.
void FallbackBackend::failed(const std::shared_ptr<Backend>& device, const DeviceFailure& failure) {
  const std::lock_guard lock(state_->mutex);
  if (state_->device != device) return;
  state_->before.times += device->report().times;
  ++state_->before.failures;
  state_->before.last_failure = failure.what();
  state_->retry_at = now_() + retry_after_;
  state_->failed = state_->device;
  state_->device.reset();
}

std::string FallbackBackend::description() const { return state_->name; }

BackendReport FallbackBackend::report() const {
  const std::lock_guard lock(state_->mutex);
  BackendReport report = state_->before;
  if (state_->device) report.times += state_->device->report().times;
  return report;
}

}  // namespace neardup
