// Part of impl.h: comparing packed rows.
#pragma once

#include "gpu/cpu/kernels/impl_types.h"
#include "gpu/hd/bit_count.h"

namespace neardup {
namespace {

inline uint32_t equal_fields_of(const uint64_t* a, const uint64_t* b, size_t words, uint32_t bits) {
  uint32_t equal = 0;
  for (size_t i = 0; i < words; ++i) equal += hd::zero_fields(a[i] ^ b[i], bits);
  return equal;
}

// The usual widths as constants: dividing by the others takes longer than comparing.
uint32_t equal_fields(const uint64_t* a, const uint64_t* b, size_t words, uint32_t bits) {
  switch (bits) {
    case 1:
      return equal_fields_of(a, b, words, 1);
    case 2:
      return equal_fields_of(a, b, words, 2);
    case 4:
      return equal_fields_of(a, b, words, 4);
    case 8:
      return equal_fields_of(a, b, words, 8);
    case 16:
      return equal_fields_of(a, b, words, 16);
    default:
      return equal_fields_of(a, b, words, bits);
  }
}

template <class Count>
inline uint32_t hamming_word_by_word(const uint64_t* a, const uint64_t* b, size_t words,
                                     Count count) {
  uint32_t sum = 0;
  for (size_t i = 0; i < words; ++i) sum += count(a[i] ^ b[i]);
  return sum;
}

uint32_t hamming_hardware(const uint64_t* a, const uint64_t* b, size_t words) {
  return hamming_word_by_word(a, b, words, [](uint64_t x) { return hd::count_hardware(x); });
}

uint32_t hamming_divide_and_conquer(const uint64_t* a, const uint64_t* b, size_t words) {
  return hamming_word_by_word(a, b, words,
                              [](uint64_t x) { return hd::count_divide_and_conquer(x); });
}

uint32_t hamming_naive(const uint64_t* a, const uint64_t* b, size_t words) {
  return hamming_word_by_word(a, b, words, [](uint64_t x) { return hd::count_naive(x); });
}

// Counts of all bytes of a word at once; the bytes of up to 31 words are added before they are
// summed.
uint32_t hamming_word_parallel(const uint64_t* a, const uint64_t* b, size_t words) {
  uint32_t count = 0;
  for (size_t begin = 0; begin < words; begin += 31) {
    const size_t end = words - begin < 31 ? words : begin + 31;
    uint64_t bytes = 0;
    for (size_t i = begin; i < end; ++i) bytes += hd::count_fields(a[i] ^ b[i], 8);
    uint64_t sum = hd::sum_neighbours(bytes, 8);
    sum = hd::sum_neighbours(sum, 16);
    count += static_cast<uint32_t>((sum & 0xffffffff) + (sum >> 32));
  }
  return count;
}

}  // namespace
}  // namespace neardup
