#include "pipeline/base/team.h"

#include <algorithm>
#include <utility>

namespace neardup {

Team::~Team() {
  {
    const MutexLock lock(mutex_);
    stop_ = true;
  }
  began_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Team::share_out(std::size_t pieces, const Work& work) {
  if (pieces <= 1 || others_ == 0) {
    for (std::size_t piece = 0; piece < pieces; ++piece) work(piece);
    return;
  }
  while (threads_.size() < others_) threads_.emplace_back([this] { run(); });
  {
    const MutexLock lock(mutex_);
    next_ = 0;
    pieces_ = pieces;
    work_ = &work;
  }
  for (std::size_t i = 0; i < std::min(pieces - 1, others_); ++i) began_.notify_one();
  take_pieces(work, pieces);
  std::exception_ptr failure;
  {
    MutexLock lock(mutex_);
    work_ = nullptr;  // a thread that wakes only now has nothing to do
    while (busy_ != 0) ended_.wait(lock);
    failure = std::exchange(failure_, {});
  }
  if (failure) std::rethrow_exception(failure);
}

void Team::run() {
  std::size_t pieces = 0;
  while (const Work* work = join_call(pieces)) {
    take_pieces(*work, pieces);
    leave_call();
  }
}

// Waits for a call that has pieces left. Null: the team ends.
const Team::Work* Team::join_call(std::size_t& pieces) {
  MutexLock lock(mutex_);
  while (!stop_ && (work_ == nullptr || next_ >= pieces_)) began_.wait(lock);
  if (stop_) return nullptr;
  ++busy_;
  pieces = pieces_;
  return work_;
}

void Team::leave_call() {
  const MutexLock lock(mutex_);
  if (--busy_ == 0) ended_.notify_one();
}

void Team::take_pieces(const Work& work, std::size_t pieces) {
  try {
    for (std::size_t piece = next_++; piece < pieces; piece = next_++) work(piece);
  } catch (...) {
    const MutexLock lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

}  // namespace neardup
