// The slots of a device, lent to the threads that sketch.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/cuda/slot.h"
#include "pipeline/base/mutex.h"

namespace neardup::cuda {

class SlotPool {
 public:
  // The destructor waits for work in progress and gives the slot back.
  class Lease {
   public:
    Lease(SlotPool& pool, Slot& slot) : pool_(&pool), slot_(&slot) {}
    Lease(Lease&& other) noexcept
        : pool_(other.pool_), slot_(std::exchange(other.slot_, nullptr)) {}
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (slot_ != nullptr) pool_->give_back(*slot_);
    }
    Slot* operator->() const { return slot_; }

   private:
    SlotPool* pool_;
    Slot* slot_;
  };

  SlotPool(std::size_t count, const DeviceKeys& keys, const SketchShape& shape,
           const PieceLimits& limits) {
    for (std::size_t i = 0; i < count; ++i) {
      slots_.push_back(std::make_unique<Slot>(keys, shape, limits));
      free_.push_back(slots_.back().get());
    }
  }

  // Waits until a slot is free. Requires: the caller holds none, or it could deadlock.
  Lease take() {
    MutexLock lock(mutex_);
    while (free_.empty()) given_back_.wait(lock);
    return take_free();
  }

  bool has_free() {
    const MutexLock lock(mutex_);
    return !free_.empty();
  }

  // Nothing when none is free.
  std::optional<Lease> try_take() {
    const MutexLock lock(mutex_);
    if (free_.empty()) return {};
    return take_free();
  }

 private:
  Lease take_free() REQUIRES(mutex_) {
    Slot* const slot = free_.back();
    free_.pop_back();
    return {*this, *slot};
  }

  void give_back(Slot& slot) {
    slot.wait_for_what_is_under_way();
    const MutexLock lock(mutex_);
    free_.push_back(&slot);
    given_back_.notify_one();
  }

  std::vector<std::unique_ptr<Slot>> slots_;
  Mutex mutex_;
  ConditionVariable given_back_;
  std::vector<Slot*> free_ GUARDED_BY(mutex_);
};

}  // namespace neardup::cuda
