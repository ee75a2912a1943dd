#include "service/arrow/recycling_pool.h"

#include <arrow/status.h>

#include <algorithm>
#include <cstring>

namespace neardup {
namespace {

constexpr std::int64_t kLarge = std::int64_t{128} << 10;
constexpr std::int64_t kMostFree = std::int64_t{48} << 20;
constexpr std::int64_t kWaste = 4;  // a piece may be so many times as large as what is in it

// Sizes in steps of an eighth, so that pieces fit again.
std::int64_t capacity_for(std::int64_t size) {
  std::int64_t step = kLarge / 8;
  while (step * 16 < size) step *= 2;
  return (size + step - 1) / step * step;
}

}  // namespace

RecyclingPool::~RecyclingPool() {
  for (const auto& [piece, capacity] : free_)
    base_.Free(piece, capacity, arrow::kDefaultBufferAlignment);
}

std::uint8_t* RecyclingPool::take_free(std::int64_t size, std::int64_t alignment) {
  if (alignment > arrow::kDefaultBufferAlignment) return nullptr;
  auto best = free_.end();
  for (auto piece = free_.begin(); piece != free_.end(); ++piece) {
    const bool fits = piece->second >= size && piece->second / kWaste <= size;
    if (fits && (best == free_.end() || piece->second < best->second)) best = piece;
  }
  if (best == free_.end()) return nullptr;
  const auto [piece, capacity] = *best;
  free_.erase(best);
  free_bytes_ -= capacity;
  used_.emplace(piece, capacity);
  return piece;
}

arrow::Status RecyclingPool::Allocate(std::int64_t size, std::int64_t alignment,
                                      std::uint8_t** out) {
  const MutexLock lock(mutex_);
  return take(size, alignment, out);
}

arrow::Status RecyclingPool::take(std::int64_t size, std::int64_t alignment, std::uint8_t** out) {
  if (size < kLarge) return base_.Allocate(size, alignment, out);
  if ((*out = take_free(size, alignment)) != nullptr) return arrow::Status::OK();
  const std::int64_t capacity = capacity_for(size);
  while (!free_.empty() && large_bytes_ + capacity > most_bytes_) drop_oldest(alignment);
  if (large_bytes_ + capacity > most_bytes_)
    return arrow::Status::OutOfMemory("it needs more than ", most_bytes_ >> 20, " MiB at a time");
  ARROW_RETURN_NOT_OK(
      base_.Allocate(capacity, std::max(alignment, arrow::kDefaultBufferAlignment), out));
  large_bytes_ += capacity;
  used_.emplace(*out, capacity);
  return arrow::Status::OK();
}

arrow::Status RecyclingPool::Reallocate(std::int64_t old_size, std::int64_t new_size,
                                        std::int64_t alignment, std::uint8_t** ptr) {
  const MutexLock lock(mutex_);
  const auto used = used_.find(*ptr);
  const bool large = used != used_.end();
  if (!large && new_size < kLarge) return base_.Reallocate(old_size, new_size, alignment, ptr);
  if (large && new_size <= used->second && new_size >= used->second / kWaste)
    return arrow::Status::OK();
  std::uint8_t* moved = nullptr;
  ARROW_RETURN_NOT_OK(take(new_size, alignment, &moved));
  std::memcpy(moved, *ptr, static_cast<std::size_t>(std::min(old_size, new_size)));
  give_back(*ptr, old_size, alignment);
  *ptr = moved;
  return arrow::Status::OK();
}

void RecyclingPool::Free(std::uint8_t* buffer, std::int64_t size, std::int64_t alignment) {
  const MutexLock lock(mutex_);
  give_back(buffer, size, alignment);
}

void RecyclingPool::give_back(std::uint8_t* buffer, std::int64_t size, std::int64_t alignment) {
  const auto used = used_.find(buffer);
  if (used == used_.end()) return base_.Free(buffer, size, alignment);
  free_.emplace_back(*used);
  free_bytes_ += used->second;
  used_.erase(used);
  while (free_bytes_ > kMostFree) drop_oldest(alignment);
}

void RecyclingPool::drop_oldest(std::int64_t alignment) {
  const auto [piece, capacity] = free_.front();
  free_.erase(free_.begin());
  free_bytes_ -= capacity;
  large_bytes_ -= capacity;
  base_.Free(piece, capacity, std::max(alignment, arrow::kDefaultBufferAlignment));
}

}  // namespace neardup
