#include "service/ingest/body_queue.h"

#include <utility>

namespace neardup {

BodyQueue::Pushed BodyQueue::push(BodyPiece piece, const std::function<void()>& resume) {
  const MutexLock lock(mutex_);
  if (!open_) return Pushed::kClosed;
  bytes_ += piece.bytes.size();
  pieces_.push_back(std::move(piece));
  changed_.notify_one();
  if (bytes_ < most_ || !resume) return Pushed::kRoom;
  waiting_.push_back(resume);
  return Pushed::kFull;
}

std::optional<BodyPiece> BodyQueue::pop() {
  std::vector<std::function<void()>> resumed;
  std::optional<BodyPiece> piece;
  {
    MutexLock lock(mutex_);
    while (pieces_.empty() && open_) changed_.wait(lock);
    if (!pieces_.empty()) {
      piece = std::move(pieces_.front());
      pieces_.pop_front();
      bytes_ -= piece->bytes.size();
    }
    if (bytes_ < most_ / 2 || !piece) resumed.swap(waiting_);
  }
  for (const auto& resume : resumed) resume();
  return piece;
}

bool BodyQueue::empty() const {
  const MutexLock lock(mutex_);
  return pieces_.empty();
}

void BodyQueue::open() {
  const MutexLock lock(mutex_);
  open_ = true;
}

void BodyQueue::close() {
  const MutexLock lock(mutex_);
  open_ = false;
  changed_.notify_all();
}

}  // namespace neardup
