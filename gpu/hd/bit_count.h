// Ways to count the bits of packed sketches (Løvstad, after Knudsen). All give the same counts and
// are kept for benchmarks. The same tree, cut off early, counts many small sketches in one word;
// where its fields are half empty, the trees of two words continue in one.
#pragma once

#include "gpu/hd/arithmetic.h"

namespace neardup::hd {

// Bit after bit: the simple linear count.
NEARDUP_HD u32 count_naive(u64 word) {
  u32 count = 0;
  for (u32 i = 0; i < 64; ++i) count += static_cast<u32>((word >> i) & 1);
  return count;
}

// One level of the tree: sums of neighbouring fields of `width` bits, in fields twice as wide.
NEARDUP_HD u64 sum_neighbours(u64 word, u32 width) {
  const u64 mask = ~u64{0} / ((u64{1} << width) + 1);
  return (word & mask) + ((word >> width) & mask);
}

// Divide and conquer: six levels.
NEARDUP_HD u32 count_divide_and_conquer(u64 word) {
  for (u32 width = 1; width < 32; width *= 2) word = sum_neighbours(word, width);
  return static_cast<u32>((word & 0xffffffff) + (word >> 32));
}

// Word-parallel: the counts of all 64 / width sketches of `width` bits at once, each in its own
// field. Requires: width is 2, 4, 8, 16 or 32.
NEARDUP_HD u64 count_fields(u64 word, u32 width) {
  for (u32 done = 1; done < width; done *= 2) word = sum_neighbours(word, done);
  return word;
}

// One level of the trees of two words at once: sums of neighbouring fields of `width` bits of `a`
// and of `b`, alternately, in fields of the same width. Requires: each sum fits in `width` bits.
NEARDUP_HD u64 merge_neighbours(u64 a, u64 b, u32 width) {
  const u64 low = ~u64{0} / ((u64{1} << width) + 1);
  return ((a & low) | (b & low) << width) + ((a >> width & low) | (b & ~low));
}

// How many words of sketches of `width` bits have their counts in one word: a count has 4 bits for
// sketches of 8, and 8 bits for those of 16, 32 and 64.
NEARDUP_HD constexpr u32 words_of_packed_counts(u32 width) { return width == 8 ? 2 : width / 8; }

// Several counts packed in one word (Løvstad's Algorithm 3): those of all sketches of `width` bits
// in n = words_of_packed_counts(width) words. Field i has the count of sketch i / n of word i % n.
// Overwrites `words`. Requires: width is 8, 16, 32 or 64.
NEARDUP_HD u64 pack_counts(u64* words, u32 width) {
  const u32 field = width == 8 ? 4 : 8;
  u32 left = words_of_packed_counts(width);
  for (u32 i = 0; i < left; ++i) words[i] = count_fields(words[i], field);
  for (u32 at = field; left > 1; at *= 2) {
    left /= 2;
    for (u32 i = 0; i < left; ++i) words[i] = merge_neighbours(words[2 * i], words[2 * i + 1], at);
  }
  return words[0];
}

NEARDUP_HD u32 count_hardware(u64 word) {
#if defined(__CUDA_ARCH__)
  return __popcll(word);
#else
  return static_cast<u32>(__builtin_popcountll(word));
#endif
}

// The same counts, sketch by sketch.
NEARDUP_HD u64 count_fields_one_by_one(u64 word, u32 width) {
  const u64 mask = (u64{1} << width) - 1;
  u64 counts = 0;
  for (u32 at = 0; at < 64; at += width) counts |= u64{count_hardware(word >> at & mask)} << at;
  return counts;
}

// Number of b-bit fields of `difference` (an XOR of two packed rows) that are zero.
NEARDUP_HD u32 zero_fields(u64 difference, u32 bits) {
  const u64 low_bit = ~u64{0} / ((u64{1} << bits) - 1);
  const u64 high_bit = low_bit << (bits - 1);
  const u64 set_if_not_zero = ((difference & ~high_bit) + (high_bit - low_bit)) | difference;
  return 64 / bits - count_hardware(set_if_not_zero & high_bit);
}

}  // namespace neardup::hd
