#include "gpu/shared_backend.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace neardup {

SharedBackend::SharedBackend(Make make, std::unique_ptr<Backend> cpu, Clock::duration start_after,
                             Clock::duration retry_after, std::function<Clock::time_point()> now)
    : make_(std::move(make)),
      cpu_(std::move(cpu)),
      retry_after_(retry_after),
      now_(std::move(now)),
      start_at_(now_() + start_after) {}

SharedBackend::SharedBackend(Make make, std::unique_ptr<Backend> cpu, Clock::duration retry_after,
                             std::function<Clock::time_point()> now)
    : SharedBackend(std::move(make), std::move(cpu), {}, retry_after, std::move(now)) {
  const MutexLock lock(mutex_);
  started(make_());
}

SharedBackend::~SharedBackend() {
  std::thread starter;
  {
    const MutexLock lock(mutex_);
    starter.swap(starter_);
  }
  if (starter.joinable()) starter.join();
}

void SharedBackend::sketch(const TextBatch& texts, std::span<const SketchTask> tasks,
                           SketchRows& rows) {
  while (!tasks.empty()) {
    const auto on = device();
    if (on && sketch_on(on, texts, tasks, rows)) return;
    const std::size_t part = part_for_cores(texts, tasks);
    cpu_->sketch(texts, tasks.first(part), rows);
    done_by_cores(part);
    tasks = tasks.subspan(part);
  }
}

// Whether the device has done all of it.
bool SharedBackend::sketch_on(const std::shared_ptr<Backend>& device, const TextBatch& texts,
                              std::span<const SketchTask> tasks, SketchRows& rows) {
  try {
    if (!device->try_sketch(texts, tasks, rows)) return false;
  } catch (const DeviceFailure& failure) {
    failed(device, failure);
    return false;
  }
  const MutexLock lock(mutex_);
  before_.documents_on_device += tasks.size();
  return true;
}

std::size_t SharedBackend::part_for_cores(const TextBatch& texts,
                                          std::span<const SketchTask> tasks) const {
  const CallSize call = cpu_->preferred_call();
  const std::size_t most = std::min(tasks.size(), call.documents);
  std::size_t part = 0;
  for (std::uint64_t bytes = 0; part < most && bytes < call.bytes; ++part)
    bytes += texts.text(tasks[part].text).size();
  return part;
}

void SharedBackend::done_by_cores(std::size_t documents) {
  const MutexLock lock(mutex_);
  const bool has_failed = !device_ && before_.failures != 0;
  (has_failed ? before_.documents_on_cpu : before_.documents_shared) += documents;
}

// Null while it starts; nobody waits for it.
std::shared_ptr<Backend> SharedBackend::device() {
  const MutexLock lock(mutex_);
  const bool wanted = !device_ && !starting_ && why_not_.empty() && failed_.expired();
  if (wanted && now_() >= start_at_) {
    if (starter_.joinable()) starter_.join();  // it has ended
    try {
      starter_ = std::thread([this] { start(); });
      starting_ = true;
    } catch (const std::system_error& failure) {  // the process has no more threads
      cannot_start(failure);
    }
  }
  return device_;
}

void SharedBackend::start() {
  try {
    std::shared_ptr<Backend> device = make_();
    const MutexLock lock(mutex_);
    started(std::move(device));
  } catch (const std::exception& failure) {  // DeviceFailure, too little gpu.memory, std::bad_alloc
    const MutexLock lock(mutex_);
    cannot_start(failure);
  }
  const MutexLock lock(mutex_);
  starting_ = false;
}

void SharedBackend::cannot_start(const std::exception& failure) {
  if (name_.empty())
    why_not_ = failure.what();
  else
    note(failure);
}

void SharedBackend::started(std::shared_ptr<Backend> device) {
  name_ = device->description();
  device_ = std::move(device);
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

void SharedBackend::note(const std::exception& failure) {
  ++before_.failures;
  before_.last_failure = failure.what();
  start_at_ = now_() + retry_after_;
}

std::string SharedBackend::description() const {
  const MutexLock lock(mutex_);
  const std::string cpu = cpu_->description();
  if (!name_.empty()) return name_ + " and " + cpu;
  return cpu + (why_not_.empty() ? "; GPU not started" : "; no GPU: " + why_not_);
}

CallSize SharedBackend::preferred_call() const {
  const MutexLock lock(mutex_);
  return (device_ ? *device_ : *cpu_).preferred_call();
}

BackendReport SharedBackend::report() const {
  const MutexLock lock(mutex_);
  BackendReport report = before_;
  if (device_) report += device_->report();
  return report;
}

}  // namespace neardup
