// Winning values → one row: stored bits, 1-bit sketch, band keys.
#pragma once

#include "gpu/cuda/piece.h"
#include "gpu/hd/pack.h"

namespace neardup::cuda {

NEARDUP_HD u64 packed_word(const Parameters& how, const u64* winners, u32 word) {
  const u32 fields = 64 / how.bits;
  const u32 first = word * fields;
  u64 packed = 0;
  for (u32 i = 0; i < fields && first + i < how.slots; ++i) {
    const u64 winner = winners[first + i];
    const u64 value = how.permutation ? winner : hd::mix64(winner);
    packed |= (value & hd::value_mask(how.bits)) << (i * how.bits);
  }
  return packed;
}

// A word of the 1-bit sketch, from the words of the sketch that hold its 64 slots.
NEARDUP_HD u64 one_bit_word(const Parameters& how, const u64* sketch, u32 word) {
  u64 bits = 0;
  for (u32 i = 0; i < how.bits; ++i) {
    const u32 from = word * how.bits + i;
    if (from >= how.sketch_words()) break;
    bits |= hd::low_bits_of_fields(sketch[from], how.bits) << (i * (64 / how.bits));
  }
  return bits;
}

template <class Group>
NEARDUP_HD void write_row(Group& group, const Parameters& how, const Piece& piece, u32 document,
                          const u64* winners) {
  u64* const sketch = piece.sketches + u64{document} * how.sketch_words();
  u64* const one_bit = piece.one_bit + u64{document} * how.one_bit_words();
  u64* const buckets = piece.buckets + u64{document} * how.bands;
  const u64 namespace_hash = piece.documents[document].namespace_hash;
  group.each([&](u32 thread) {
    for (u32 word = thread; word < how.sketch_words(); word += Group::kThreads) {
      sketch[word] = packed_word(how, winners, word);
    }
  });
  group.each([&](u32 thread) {
    for (u32 word = thread; word < how.one_bit_words(); word += Group::kThreads) {
      one_bit[word] = one_bit_word(how, sketch, word);
    }
    for (u32 band = thread; band < how.bands; band += Group::kThreads) {
      buckets[band] =
          hd::band_key(sketch, how.bits, band, how.rows, how.band_keys[band], namespace_hash);
    }
  });
}

}  // namespace neardup::cuda
