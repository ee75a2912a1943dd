#include "service/ingest/open_requests.h"

namespace neardup {

std::shared_ptr<DocumentRequest> OpenRequests::open(const RequestForm& form,
                                                    std::uint64_t max_record_bytes,
                                                    SpoolBudget& budget) {
  const MutexLock lock(mutex_);
  while (requests_.contains(next_)) ++next_;
  auto request = std::make_shared<DocumentRequest>(next_, form, max_record_bytes, budget);
  requests_.emplace(next_++, request);
  return request;
}

std::shared_ptr<DocumentRequest> OpenRequests::find(std::uint32_t number) const {
  const MutexLock lock(mutex_);
  const auto found = requests_.find(number);
  return found == requests_.end() ? nullptr : found->second;
}

void OpenRequests::remove(std::uint32_t number) {
  const MutexLock lock(mutex_);
  requests_.erase(number);
}

std::size_t OpenRequests::size() const {
  const MutexLock lock(mutex_);
  return requests_.size();
}

void OpenRequests::fail(const HttpAnswer& answer) {
  const MutexLock lock(mutex_);
  for (const auto& [number, request] : requests_) request->fail(answer);
  requests_.clear();
}

}  // namespace neardup
