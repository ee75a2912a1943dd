#include "pipeline/state_tasks.h"

#include <algorithm>
#include <utility>

namespace neardup {

Errands::Fate Errands::run(Work work, std::chrono::milliseconds patience) {
  const auto latest = std::chrono::steady_clock::now() + patience;
  const auto errand = std::make_shared<Errand>();
  errand->work = std::move(work);
  MutexLock lock(mutex_);
  if (!wake_) return Fate::kClosed;
  if (waiting_.size() >= most_) return Fate::kFull;
  waiting_.push_back(errand);
  wake_();
  while (errand->stage == Stage::kWaiting && changed_.wait_until(lock, latest)) {
  }
  if (errand->stage == Stage::kWaiting) {
    std::erase(waiting_, errand);
    return Fate::kLate;
  }
  while (errand->stage == Stage::kBegun) changed_.wait(lock);
  if (errand->stage == Stage::kClosed) return Fate::kClosed;
  if (errand->error) std::rethrow_exception(errand->error);
  return Fate::kDone;
}

void Errands::open(std::function<void()> wake) {
  const MutexLock lock(mutex_);
  wake_ = std::move(wake);
}

void Errands::do_all(StateAccess& state) {
  while (const auto errand = next()) {
    std::exception_ptr error;
    try {
      errand->work(state);
    } catch (...) {
      error = std::current_exception();
    }
    finish(*errand, error);
  }
}

std::shared_ptr<Errands::Errand> Errands::next() {
  const MutexLock lock(mutex_);
  if (waiting_.empty()) return nullptr;
  auto errand = std::move(waiting_.front());
  waiting_.pop_front();
  errand->stage = Stage::kBegun;
  changed_.notify_all();
  return errand;
}

void Errands::finish(Errand& errand, std::exception_ptr error) {
  const MutexLock lock(mutex_);
  errand.error = std::move(error);
  errand.stage = Stage::kDone;
  changed_.notify_all();
}

void Errands::close() {
  const MutexLock lock(mutex_);
  wake_ = nullptr;
  for (const auto& errand : waiting_) errand->stage = Stage::kClosed;
  waiting_.clear();
  changed_.notify_all();
}

}  // namespace neardup
