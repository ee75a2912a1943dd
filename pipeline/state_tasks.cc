#include "pipeline/state_tasks.h"

#include <algorithm>
#include <utility>

namespace neardup {

StateTasks::Outcome StateTasks::run(Work work, std::chrono::milliseconds timeout) {
  const auto latest = std::chrono::steady_clock::now() + timeout;
  const auto task = std::make_shared<Task>();
  task->work = std::move(work);
  MutexLock lock(mutex_);
  if (!wake_) return Outcome::kClosed;
  if (waiting_.size() >= most_) return Outcome::kFull;
  waiting_.push_back(task);
  wake_();
  while (task->stage == Stage::kWaiting && changed_.wait_until(lock, latest)) {
  }
  if (task->stage == Stage::kWaiting) {
    std::erase(waiting_, task);
    return Outcome::kLate;
  }
  while (task->stage == Stage::kBegun) changed_.wait(lock);
  if (task->stage == Stage::kClosed) return Outcome::kClosed;
  if (task->error) std::rethrow_exception(task->error);
  return Outcome::kDone;
}

void StateTasks::open(std::function<void()> wake) {
  const MutexLock lock(mutex_);
  wake_ = std::move(wake);
}

void StateTasks::do_all(StateAccess& state) {
  while (do_next(state)) {
  }
}

bool StateTasks::do_next(StateAccess& state) {
  const auto task = next();
  if (!task) return false;
  std::exception_ptr error;
  try {
    task->work(state);
  } catch (...) {
    error = std::current_exception();
  }
  finish(*task, error);
  return true;
}

std::shared_ptr<StateTasks::Task> StateTasks::next() {
  const MutexLock lock(mutex_);
  if (waiting_.empty()) return nullptr;
  auto task = std::move(waiting_.front());
  waiting_.pop_front();
  task->stage = Stage::kBegun;
  changed_.notify_all();
  return task;
}

void StateTasks::finish(Task& task, std::exception_ptr error) {
  const MutexLock lock(mutex_);
  task.error = std::move(error);
  task.stage = Stage::kDone;
  changed_.notify_all();
}

void StateTasks::close() {
  const MutexLock lock(mutex_);
  wake_ = nullptr;
  for (const auto& task : waiting_) task->stage = Stage::kClosed;
  waiting_.clear();
  changed_.notify_all();
}

}  // namespace neardup
