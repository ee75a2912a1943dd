// The slots of a hash table from 32 bits of a hash to a number, eight bytes each, so that eight of
// them share a cache line.
//
// Open addressing with linear probing. The upper bits of a hash choose its home, so the table grows
// without the keys, in one pass over its slots.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "storage/large_pages.h"

namespace neardup {

class SlotTable {
 public:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = kFree;
    bool is_free() const { return number == kFree; }
  };
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};  // not a number to store

  // With room for half as many keys as 2^bits, at first.
  explicit SlotTable(unsigned bits = 12) : bits_(bits), slots_(std::size_t{1} << bits) {}

  // The slot of a key, or the free one where it would be put. wanted(number): is a slot with the
  // same hash that of the key?
  template <class Wanted>
  Slot& find(std::uint32_t hash, Wanted wanted) {
    return slots_[place(hash, wanted)];
  }
  template <class Wanted>
  const Slot& find(std::uint32_t hash, Wanted wanted) const {
    return slots_[place(hash, wanted)];
  }

  // Stores into a free slot that `find` has returned for the hash. All slots may move.
  void put(Slot& slot, std::uint32_t hash, std::uint32_t number) {
    slot = {hash, number};
    if (++used_ > slots_.size() / 2) grow();
  }

  // The address that `find` reads first.
  const void* address(std::uint32_t hash) const { return &slots_[home(hash)]; }

  // Keeps its memory. A table in which few slots were used becomes half as large, so that small
  // batches after a large one do not pay for its size.
  void clear() {
    if (used_ == 0) return;
    if (used_ < slots_.size() / 16 && bits_ > kFewestBits) slots_.resize(std::size_t{1} << --bits_);
    std::fill(slots_.begin(), slots_.end(), Slot());
    used_ = 0;
  }

 private:
  static constexpr unsigned kFewestBits = 6;

  std::size_t home(std::uint32_t hash) const { return hash >> (32 - bits_); }
  template <class Wanted>
  std::size_t place(std::uint32_t hash, Wanted wanted) const {
    std::size_t at = home(hash);
    while (!slots_[at].is_free() && (slots_[at].hash != hash || !wanted(slots_[at].number)))
      at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  [[gnu::noinline]] void grow() {
    Slots old(slots_.size() * 2);
    old.swap(slots_);
    ++bits_;
    for (const Slot& slot : old) {
      if (!slot.is_free()) slots_[place(slot.hash, [](std::uint32_t) { return false; })] = slot;
    }
  }

  using Slots = std::vector<Slot, OnLargePages<Slot>>;

  unsigned bits_;
  Slots slots_;
  std::size_t used_ = 0;
};

}  // namespace neardup
