// The seqs that were already seen for one document: its buckets list the same candidates again and
// again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "pipeline/match/seq_bitmap.h"

namespace neardup {

class SeenSeqs {
 public:
  SeenSeqs() : slots_(kFirstSlots) {}

  // Adds the seqs of a word. Returns the ones that are new since `clear`, as bits.
  std::uint64_t add(const SeqWord& word) {
    const std::uint64_t key = round_ | word.word;
    for (std::size_t at = place(word.word);; at = (at + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[at];
      if (slot.key == key) {
        const std::uint64_t first = word.bits & ~slot.bits;
        slot.bits |= first;
        return first;
      }
      if ((slot.key ^ round_) < kRound) continue;
      slot = {key, word.bits};
      if (++used_ > slots_.size() / 2) grow();
      return word.bits;
    }
  }
  // Adds a seq. Returns whether it is new since `clear`.
  bool add(Seq seq) { return add(word_of(seq)) != 0; }

  void clear() {
    used_ = 0;
    round_ += kRound;
    if (round_ != 0) return;
    std::fill(slots_.begin(), slots_.end(), Slot());
    round_ = kRound;
  }

 private:
  static constexpr std::size_t kFirstSlots = 1 << 10;
  static constexpr std::uint64_t kRound = std::uint64_t{1} << 40;  // above all words
  struct Slot {
    std::uint64_t key = 0;  // round and word; of another round: free
    std::uint64_t bits = 0;
  };

  std::size_t place(std::uint64_t word) const {
    return (word * 0x9e3779b97f4a7c15 >> 32) & (slots_.size() - 1);
  }
  [[gnu::noinline]] void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    used_ = 0;
    for (const Slot& slot : old) {
      if ((slot.key ^ round_) < kRound) add(SeqWord{slot.key ^ round_, slot.bits});
    }
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  std::uint64_t round_ = kRound;
};

}  // namespace neardup
