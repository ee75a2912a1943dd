// The buckets of the documents of one batch: bucket → their numbers, oldest first.
//
// A flat table with open addressing over mixed keys: two buckets may share a chain, once in 2^64,
// so what a chain lists is a hint.
#pragma once

#include <cstdint>
#include <vector>

#include "storage/store.h"

namespace neardup {

class PendingBuckets {
 public:
  PendingBuckets() : slots_(kFirstSlots) {}

  // Numbers come ascending in each bucket.
  void add(const Bucket& bucket, std::uint32_t number);

  // How many numbers a bucket has, but for those that `visit` has dropped.
  std::size_t size(const Bucket& bucket) const {
    const Slot& slot = slots_[place(mix(bucket))];
    return slot.first == kNone ? 0 : slot.size;
  }

  // Calls visit(number) for each number of a bucket for which live(number), oldest first, until it
  // returns false; the others are dropped on the way.
  template <class Live, class Visit>
  void visit(const Bucket& bucket, Live live, Visit visit) {
    Slot& slot = slots_[place(mix(bucket))];
    std::uint32_t before = kNone;
    for (std::uint32_t at = slot.first; at != kNone; at = links_[at].next) {
      if (!live(links_[at].number)) {
        drop(slot, before, at);
      } else {
        before = at;
        if (!visit(links_[at].number)) return;
      }
    }
  }

  // Keeps its memory.
  void clear();

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kFirstSlots = 1 << 12;
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t first = kNone;  // none: the slot is free, or all its numbers were dropped
    std::uint32_t last = kNone;
    std::uint32_t size = 0;
    bool used = false;
  };
  struct Link {
    std::uint32_t number;
    std::uint32_t next;
  };

  static std::uint64_t mix(const Bucket& bucket) {
    return (bucket.key ^ bucket.band * 0xd6e8feb86659fd93) * 0x9e3779b97f4a7c15;
  }
  // Where the key is, or where it would be put.
  std::size_t place(std::uint64_t key) const {
    std::size_t at = key >> shift_;
    while (slots_[at].used && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void drop(Slot& slot, std::uint32_t before, std::uint32_t at);
  void grow();

  std::vector<Slot> slots_;
  unsigned shift_ = 64 - 12;
  std::size_t used_ = 0;
  std::vector<Link> links_;
};

}  // namespace neardup
