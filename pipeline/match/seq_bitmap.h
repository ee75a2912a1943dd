// Sets of seqs as bitmaps: sorted words of 64 neighbouring seqs. The oldest documents of similar
// buckets have close seqs, so few words hold them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "pipeline/model/types.h"

namespace neardup {

// The seqs 64 · word + i for each bit i that is set.
struct SeqWord {
  std::uint64_t word = 0;
  std::uint64_t bits = 0;
};
using SeqBitmap = std::vector<SeqWord>;  // ascending; each word has a bit set

inline SeqWord word_of(Seq seq) { return {seq / 64, std::uint64_t{1} << seq % 64}; }

// Requires: a bit is set.
inline Seq first_seq(const SeqWord& word) {
  return word.word * 64 + static_cast<Seq>(std::countr_zero(word.bits));
}

// Calls visit(seq) for each, ascending.
template <class Visit>
void for_each_seq(SeqWord word, Visit visit) {
  for (; word.bits != 0; word.bits &= word.bits - 1) visit(first_seq(word));
}

// Requires: `seq` is larger than all seqs in `words`.
inline void append(SeqBitmap& words, Seq seq) {
  const SeqWord one = word_of(seq);
  if (words.empty() || words.back().word != one.word) words.push_back({one.word, 0});
  words.back().bits |= one.bits;
}

// The word of a seq, or else the first word after it.
template <class Words>
auto lower_word(Words& words, Seq seq) {
  return std::lower_bound(words.begin(), words.end(), word_of(seq).word,
                          [](const SeqWord& a, std::uint64_t word) { return a.word < word; });
}

inline bool contains(const SeqBitmap& words, Seq seq) {
  const SeqWord one = word_of(seq);
  const auto at = lower_word(words, seq);
  return at != words.end() && at->word == one.word && (at->bits & one.bits) != 0;
}

// Requires: contains(words, seq).
inline void remove(SeqBitmap& words, Seq seq) {
  const auto at = lower_word(words, seq);
  at->bits &= ~word_of(seq).bits;
  if (at->bits == 0) words.erase(at);
}

}  // namespace neardup
