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
    const std::uint64_t entry = round_ | seq;
    for (std::size_t at = place(seq);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at] == entry) return false;
      if ((slots_[at] ^ round_) < kRound) continue;
      slots_[at] = entry;
      if (++used_ > slots_.size() / 2) grow();
      return true;
    }
  }

  void clear() {
    used_ = 0;
    round_ += kRound;
    if (round_ != 0) return;
    std::fill(slots_.begin(), slots_.end(), 0);
    round_ = kRound;
  }

 private:
  static constexpr std::size_t kFirstSlots = 1 << 10;
  static constexpr std::uint64_t kRound = std::uint64_t{1} << 40;  // above all seqs

  std::size_t place(Seq seq) const {
    return (seq * 0x9e3779b97f4a7c15 >> 32) & (slots_.size() - 1);
  }
  [[gnu::noinline]] void grow() {
    std::vector<std::uint64_t> old(slots_.size() * 2);
    old.swap(slots_);
    used_ = 0;
    for (const std::uint64_t entry : old) {
      if ((entry ^ round_) < kRound) add(entry ^ round_);
    }
  }

  std::vector<std::uint64_t> slots_;  // round and seq; of another round: free
  std::size_t used_ = 0;
  std::uint64_t round_ = kRound;
};

}  // namespace neardup
