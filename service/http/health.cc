#include "service/http/health.h"

#include <utility>

namespace neardup {

void Health::set_ready() {
  const MutexLock lock(mutex_);
  not_ready_.reset();
}

void Health::set_not_ready(std::string reason) {
  const MutexLock lock(mutex_);
  not_ready_ = std::move(reason);
}

void Health::set_draining() {
  const MutexLock lock(mutex_);
  draining_ = true;
}

void Health::set_unhealthy(std::string reason) {
  const MutexLock lock(mutex_);
  unhealthy_ = std::move(reason);
}

std::vector<std::string> Health::why_unhealthy() const {
  const MutexLock lock(mutex_);
  return unhealthy_ ? std::vector{*unhealthy_} : std::vector<std::string>{};
}

std::vector<std::string> Health::why_not_ready() const {
  std::vector<std::string> reasons = why_unhealthy();
  const MutexLock lock(mutex_);
  if (draining_) reasons.emplace_back("draining");
  if (not_ready_) reasons.push_back(*not_ready_);
  return reasons;
}

}  // namespace neardup
