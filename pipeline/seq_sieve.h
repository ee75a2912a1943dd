// Lets each seq through once: the buckets of a document name the same others again and again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "pipeline/core/types.h"

namespace neardup {

class SeqSieve {
 public:
  SeqSieve() : slots_(kFirstSlots) {}

  // Is it the first time since `clear`?
  bool add(Seq seq) {
    std::size_t at = place(seq);
    while (slots_[at].round == round_) {
      if (slots_[at].seq == seq) return false;
      at = (at + 1) & (slots_.size() - 1);
    }
    slots_[at] = {seq, round_};
    if (++used_ > slots_.size() / 2) grow();
    return true;
  }

  void clear() {
    used_ = 0;
    if (++round_ != 0) return;
    std::fill(slots_.begin(), slots_.end(), Slot());
    round_ = 1;
  }

 private:
  static constexpr std::size_t kFirstSlots = 1 << 10;
  struct Slot {
    Seq seq = 0;
    std::uint32_t round = 0;  // of another round: free
  };

  std::size_t place(Seq seq) const {
    return (seq * 0x9e3779b97f4a7c15 >> 32) & (slots_.size() - 1);
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    used_ = 0;
    for (const Slot& slot : old) {
      if (slot.round == round_) add(slot.seq);
    }
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  std::uint32_t round_ = 1;
};

}  // namespace neardup
