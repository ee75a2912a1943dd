// The buckets of the documents of one batch: bucket → their numbers, oldest first.
//
// A flat table with open addressing over mixed keys. Two buckets share a list with probability
// 2^-64, so a list holds hints. Most buckets have one number, which is stored in the table itself.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "storage/large_pages.h"
#include "storage/store.h"

namespace neardup {

class PendingBuckets {
 public:
  PendingBuckets() : slots_(kFirstSlots) {}

  // The numbers of a bucket ascend.
  void add(const Bucket& bucket, std::uint32_t number);

  // The address that a look-up of the bucket reads first.
  const void* address(const Bucket& bucket) const { return &slots_[mix(bucket) >> shift_]; }

  // How many numbers a bucket has, without those that `visit` has dropped.
  std::size_t size(const Bucket& bucket) const { return slots_[place(mix(bucket))].size; }

  // Calls visit(number) for each number of a bucket for which live(number), oldest first, until it
  // returns false; the others are dropped on the way.
  template <class Live, class Visit>
  void visit(const Bucket& bucket, Live live, Visit visit) {
    Slot& slot = slots_[place(mix(bucket))];
    const auto go_on = [&](std::uint32_t& number) {
      if (number == kNone) return true;
      if (live(number)) return visit(number);
      number = kNone;
      --slot.size;
      return true;
    };
    if (!go_on(slot.oldest)) return;
    std::uint32_t before = kNone;
    for (std::uint32_t at = slot.first; at != kNone; at = nodes_[at].next) {
      bool empty = true;
      for (std::uint32_t& number : nodes_[at].numbers) {
        if (!go_on(number)) return;
        empty = empty && number == kNone;
      }
      if (empty && at != slot.last) {
        (before == kNone ? slot.first : nodes_[before].next) = nodes_[at].next;
      } else {
        before = at;
      }
    }
  }

  // Keeps its memory.
  void clear();

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};  // of numbers: none, or dropped
  static constexpr std::size_t kFirstSlots = 1 << 12;
  static constexpr std::size_t kInNode = 7;
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t oldest = kNone;
    std::uint32_t first = kNone;  // nodes with the others
    std::uint32_t last = kNone;
    std::uint32_t size = 0;
    std::uint32_t added = 0;  // 0: the slot is free
  };
  struct Node {
    std::array<std::uint32_t, kInNode> numbers;
    std::uint32_t next;
  };

  static std::uint64_t mix(const Bucket& bucket) {
    return (bucket.key ^ bucket.band * 0xd6e8feb86659fd93) * 0x9e3779b97f4a7c15;
  }
  // Where the key is, or where it would be put.
  std::size_t place(std::uint64_t key) const {
    std::size_t at = key >> shift_;
    while (slots_[at].added != 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void append(Slot& slot, std::uint32_t number);
  void grow();

  using Slots = std::vector<Slot, OnLargePages<Slot>>;

  Slots slots_;
  unsigned shift_ = 64 - 12;
  std::size_t used_ = 0;
  std::vector<Node> nodes_;
};

}  // namespace neardup
