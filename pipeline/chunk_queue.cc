#include "pipeline/chunk_queue.h"

namespace neardup {
namespace {

constexpr std::size_t kMostKeptBytes = std::size_t{16} << 20;

}  // namespace

std::unique_ptr<Chunk> ChunkQueue::blank() {
  const MutexLock lock(mutex_);
  if (used_.empty()) return std::make_unique<Chunk>();
  std::unique_ptr<Chunk> chunk = std::move(used_.back());
  used_.pop_back();
  chunk->raw.ends_batch = chunk->ends_batch = false;
  chunk->positions.clear();
  return chunk;
}

void ChunkQueue::recycle(std::unique_ptr<Chunk> chunk) {
  const MutexLock lock(mutex_);
  // One huge record must not hold its memory for ever.
  if (chunk->raw.buffer.capacity() <= kMostKeptBytes) used_.push_back(std::move(chunk));
}

bool ChunkQueue::push(std::unique_ptr<Chunk> chunk) {
  MutexLock lock(mutex_);
  while (!closed_ && !has_room()) room_.wait(lock);
  if (closed_) return false;
  Slot slot;
  slot.bytes = chunk->raw.buffer.size();
  slot.chunk = std::move(chunk);
  bytes_ += slot.bytes;
  slots_.push_back(std::move(slot));
  work_.notify_one();
  return true;
}

void ChunkQueue::finish(const std::exception_ptr& error) {
  const MutexLock lock(mutex_);
  finished_ = true;
  error_ = error;
  work_.notify_all();
  ready_.notify_all();
}

Chunk* ChunkQueue::take() {
  MutexLock lock(mutex_);
  while (!closed_ && !finished_ && taken_ == slots_.size()) work_.wait(lock);
  if (closed_ || taken_ == slots_.size()) return nullptr;
  return slots_[taken_++].chunk.get();
}

void ChunkQueue::prepared(Chunk* chunk, const std::exception_ptr& error) {
  const MutexLock lock(mutex_);
  for (Slot& slot : slots_) {
    if (slot.chunk.get() != chunk) continue;
    slot.ready = true;
    slot.error = error;
  }
  ready_.notify_one();
}

// A chunk larger than the limit still passes, alone.
bool ChunkQueue::has_room() const {
  return slots_.empty() || (slots_.size() < limits_.chunks && bytes_ < limits_.bytes);
}

bool ChunkQueue::can_pop() const { return slots_.empty() ? finished_ : slots_.front().ready; }

bool ChunkQueue::wait() {
  MutexLock lock(mutex_);
  while (!woken_ && !can_pop()) ready_.wait(lock);
  return std::exchange(woken_, false);
}

bool ChunkQueue::wait_until(std::chrono::steady_clock::time_point deadline) {
  MutexLock lock(mutex_);
  while (!can_pop() && ready_.wait_until(lock, deadline)) {
  }
  return can_pop();
}

bool ChunkQueue::is_ready() {
  const MutexLock lock(mutex_);
  return can_pop();
}

void ChunkQueue::wake() {
  const MutexLock lock(mutex_);
  woken_ = true;
  ready_.notify_all();
}

std::unique_ptr<Chunk> ChunkQueue::pop() {
  MutexLock lock(mutex_);
  while (!can_pop()) ready_.wait(lock);
  if (slots_.empty()) {
    if (error_) std::rethrow_exception(error_);
    return nullptr;
  }
  Slot slot = take_first();
  if (slot.error) std::rethrow_exception(slot.error);
  return std::move(slot.chunk);
}

std::unique_ptr<Chunk> ChunkQueue::pop_ready() {
  const MutexLock lock(mutex_);
  if (slots_.empty() || !slots_.front().ready || slots_.front().error) return nullptr;
  return std::move(take_first().chunk);
}

ChunkQueue::Slot ChunkQueue::take_first() {
  Slot slot = std::move(slots_.front());
  slots_.pop_front();
  --taken_;
  bytes_ -= slot.bytes;
  room_.notify_one();
  return slot;
}

void ChunkQueue::close() {
  const MutexLock lock(mutex_);
  closed_ = true;
  room_.notify_all();
  work_.notify_all();
}

}  // namespace neardup
