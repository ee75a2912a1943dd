// A hash table from seq to value: open addressing in one array, values at addresses that do not
// change.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "pipeline/model/types.h"

namespace neardup {

template <class T>
class SeqTable {
 public:
  SeqTable() : slots_(kFirstSlots) {}

  // Null: there is none. Valid until `clear`.
  T* find(Seq seq) {
    const Slot& slot = slots_[place(seq)];
    return slot.seq == seq ? slot.value : nullptr;
  }

  // Requires: there is none.
  T* add(Seq seq, T value) {
    if (2 * (values_.size() + 1) > slots_.size()) grow();
    T* added = &values_.emplace_back(std::move(value));
    slots_[place(seq)] = {seq, added};
    return added;
  }

  std::size_t size() const { return values_.size(); }
  void clear() { *this = SeqTable(); }

 private:
  static constexpr std::size_t kFirstSlots = 1 << 10;
  static constexpr Seq kFree = 0;  // seqs begin with 1
  struct Slot {
    Seq seq = kFree;
    T* value = nullptr;
  };

  // Where the seq is, or where it would be put.
  std::size_t place(Seq seq) const {
    std::size_t at = (seq * 0x9e3779b97f4a7c15 >> 32) & (slots_.size() - 1);
    while (slots_[at].seq != kFree && slots_[at].seq != seq) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.seq != kFree) slots_[place(slot.seq)] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::deque<T> values_;
};

}  // namespace neardup
