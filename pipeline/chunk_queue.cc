#include "pipeline/chunk_queue.h"

namespace neardup {
namespace {

constexpr std::size_t kMostKeptBytes = std::size_t{16} << 20;

}  // namespace

std::unique_ptr<Chunk> ChunkQueue::blank() {
  const std::lock_guard lock(mutex_);
  if (used_.empty()) return std::make_unique<Chunk>();
  std::unique_ptr<Chunk> chunk = std::move(used_.back());
  used_.pop_back();
  chunk->raw.ends_batch = chunk->ends_batch = false;
  chunk->positions.clear();
  return chunk;
}

void ChunkQueue::recycle(std::unique_ptr<Chunk> chunk) {
  const std::lock_guard lock(mutex_);
  // One huge record must not hold its memory for ever.
  if (chunk->raw.buffer.capacity() <= kMostKeptBytes) used_.push_back(std::move(chunk));
}

bool ChunkQueue::push(std::unique_ptr<Chunk> chunk) {
  std::unique_lock lock(mutex_);
  // A chunk larger than the limit still passes, alone.
  room_.wait(lock, [&] {
    return closed_ || slots_.empty() || (slots_.size() < limits_.chunks && bytes_ < limits_.bytes);
  });
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
  const std::lock_guard lock(mutex_);
  finished_ = true;
  error_ = error;
  work_.notify_all();
  ready_.notify_all();
}

Chunk* ChunkQueue::take() {
  std::unique_lock lock(mutex_);
  work_.wait(lock, [&] { return closed_ || finished_ || taken_ < slots_.size(); });
  if (closed_ || taken_ == slots_.size()) return nullptr;
  return slots_[taken_++].chunk.get();
}

void ChunkQueue::prepared(Chunk* chunk, const std::exception_ptr& error) {
  const std::lock_guard lock(mutex_);
  for (Slot& slot : slots_) {
    if (slot.chunk.get() != chunk) continue;
    slot.ready = true;
    slot.error = error;
  }
  ready_.notify_one();
}

bool ChunkQueue::can_pop() const { return slots_.empty() ? finished_ : slots_.front().ready; }

bool ChunkQueue::wait() {
  std::unique_lock lock(mutex_);
  ready_.wait(lock, [&] { return woken_ || can_pop(); });
  return std::exchange(woken_, false);
}

void ChunkQueue::wake() {
  const std::lock_guard lock(mutex_);
  woken_ = true;
  ready_.notify_all();
}

std::unique_ptr<Chunk> ChunkQueue::pop() {
  std::unique_lock lock(mutex_);
  ready_.wait(lock, [&] { return can_pop(); });
  if (slots_.empty()) {
    if (error_) std::rethrow_exception(error_);
    return nullptr;
  }
  Slot slot = std::move(slots_.front());
  slots_.pop_front();
  --taken_;
  bytes_ -= slot.bytes;
  room_.notify_one();
  if (slot.error) std::rethrow_exception(slot.error);
  return std::move(slot.chunk);
}

void ChunkQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  room_.notify_all();
  work_.notify_all();
}

}  // namespace neardup
