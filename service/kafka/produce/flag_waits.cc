#include "service/kafka/produce/flag_waits.h"

#include <utility>

#include "service/kafka/store/batch_text.h"

namespace neardup {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kMostWaiting = 100'000;  // flags
constexpr std::size_t kMostLatest = 20'000;    // flags

}  // namespace

void FlagWaits::begin() {
  const MutexLock lock(mutex_);
  writing_ = true;
}

void FlagWaits::end(std::vector<AwaitedFlag> flags) {
  const auto now = steady_clock::now();
  const MutexLock lock(mutex_);
  for (AwaitedFlag& flag : flags) {
    if (waiting_.size() >= kMostWaiting) {
      give_up(*flag.request);
      continue;
    }
    const auto until = now + flag.request->form().wait;
    waiting_[std::move(flag.place)] = {std::move(flag.request), flag.number, until};
  }
  for (const Told& told : latest_) tell(told.place, told.line, told.status);
  latest_.clear();
  writing_ = false;
}

void FlagWaits::offer(const StoredBatch& batch) {
  const MutexLock lock(mutex_);
  if (!writing_ && waiting_.empty()) return;
  const auto partition = partition_of(batch);
  const FlagWriter writer = flag_writer_of(batch);
  for (const Flag& flag : batch.flags) {
    const MessagePlace place{partition(flag.source.input),
                             static_cast<std::int64_t>(flag.source.place)};
    if (!writing_ && !waiting_.contains(place)) continue;
    std::string line;
    writer.append(flag, line);
    tell(place, line, flag.status);
    if (!writing_) continue;
    latest_.push_back({place, std::move(line), flag.status});
    if (latest_.size() > kMostLatest) latest_.pop_front();
  }
}

void FlagWaits::tell(const MessagePlace& place, const std::string& line, Status status) {
  const auto found = waiting_.find(place);
  if (found == waiting_.end()) return;
  const Waiting waiting = std::move(found->second);
  waiting_.erase(found);
  if (waiting.request->flagged(waiting.number, line, status))
    requests_.remove(waiting.request->number());
}

void FlagWaits::expire(steady_clock::time_point now) {
  const MutexLock lock(mutex_);
  for (auto one = waiting_.begin(); one != waiting_.end();) {
    const bool over = one->second.until <= now;
    if (over) give_up(*one->second.request);
    one = over ? waiting_.erase(one) : std::next(one);
  }
}

void FlagWaits::give_up() { expire(steady_clock::time_point::max()); }

void FlagWaits::give_up(DocumentRequest& request) {
  if (request.wait_no_longer()) requests_.remove(request.number());
}

}  // namespace neardup
