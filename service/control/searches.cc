#include "service/control/searches.h"

#include <utility>

#include "pipeline/core/failure.h"

namespace neardup {

std::string Searches::answer(const std::string& body) {
  Answer answer;
  {
    const MutexLock lock(mutex_);
    if (!answer_) throw Failure(Exit::kUnavailable, "the service is not deciding; try again");
    answer = answer_;
    ++running_;
  }
  struct AtEnd {
    Searches& searches;
    ~AtEnd() {
      const MutexLock lock(searches.mutex_);
      --searches.running_;
      searches.changed_.notify_all();
    }
  };
  const AtEnd end{*this};
  return answer(body);
}

void Searches::open(Answer answer) {
  const MutexLock lock(mutex_);
  answer_ = std::move(answer);
}

void Searches::close() {
  MutexLock lock(mutex_);
  answer_ = nullptr;
  while (running_ != 0) changed_.wait(lock);
}

}  // namespace neardup
