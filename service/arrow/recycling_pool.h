// A pool for Arrow's buffers that reuses large ones and has a limit.
//
// Each page and each batch takes new buffers of some MiB and frees them. The allocator gives such
// pieces back to the system at once in a young process, and half of the time went into page faults.
#pragma once

#include <arrow/memory_pool.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pipeline/base/mutex.h"

namespace neardup {

// Any thread.
class RecyclingPool : public arrow::MemoryPool {
 public:
  // More than `most_bytes` at a time are refused.
  explicit RecyclingPool(std::int64_t most_bytes) : most_bytes_(most_bytes) {}
  ~RecyclingPool() override;

  using MemoryPool::Allocate;
  using MemoryPool::Free;
  using MemoryPool::Reallocate;
  arrow::Status Allocate(std::int64_t size, std::int64_t alignment, std::uint8_t** out) override;
  arrow::Status Reallocate(std::int64_t old_size, std::int64_t new_size, std::int64_t alignment,
                           std::uint8_t** ptr) override;
  void Free(std::uint8_t* buffer, std::int64_t size, std::int64_t alignment) override;

  std::int64_t bytes_allocated() const override { return base_.bytes_allocated(); }
  std::int64_t max_memory() const override { return base_.max_memory(); }
  std::int64_t total_bytes_allocated() const override { return base_.total_bytes_allocated(); }
  std::int64_t num_allocations() const override { return base_.num_allocations(); }
  std::string backend_name() const override { return "recycling"; }

 private:
  using Piece = std::pair<std::uint8_t*, std::int64_t>;  // with its capacity

  arrow::Status take(std::int64_t size, std::int64_t alignment, std::uint8_t** out)
      REQUIRES(mutex_);
  void give_back(std::uint8_t* buffer, std::int64_t size, std::int64_t alignment) REQUIRES(mutex_);
  std::uint8_t* take_free(std::int64_t size, std::int64_t alignment) REQUIRES(mutex_);
  void drop_oldest(std::int64_t alignment) REQUIRES(mutex_);

  std::int64_t most_bytes_;
  arrow::MemoryPool& base_ = *arrow::system_memory_pool();
  Mutex mutex_;
  std::unordered_map<std::uint8_t*, std::int64_t> used_ GUARDED_BY(mutex_);  // large → capacity
  std::vector<Piece> free_ GUARDED_BY(mutex_);                               // the oldest first
  std::int64_t large_bytes_ GUARDED_BY(mutex_) = 0;                          // of both
  std::int64_t free_bytes_ GUARDED_BY(mutex_) = 0;
};

}  // namespace neardup
