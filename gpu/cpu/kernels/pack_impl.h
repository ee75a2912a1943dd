// Part of impl.h: winning values → stored bits, 1-bit sketch.
#pragma once

#include "gpu/cpu/kernels/impl_types.h"
#include "gpu/hd/pack.h"

namespace neardup {
namespace {

template <uint32_t bits>
inline void pack_words(const uint64_t* values, size_t words, uint64_t* row) {
  constexpr uint32_t kFields = 64 / bits;
  for (size_t i = 0; i < words; ++i) {
    uint64_t word = 0;
    for (uint32_t field = 0; field < kFields; ++field)
      word |= (values[i * kFields + field] & hd::value_mask(bits)) << (field * bits);
    row[i] = word;
  }
}

template <uint32_t bits>
inline void low_bits(const uint64_t* row, size_t words, uint64_t* one_bit) {
  for (size_t begin = 0; begin < words; begin += bits) {
    const size_t end = smaller(begin + bits, words);
    uint64_t word = 0;
    for (size_t i = begin; i < end; ++i)
      word |= hd::low_bits_of_fields(row[i], bits) << ((i - begin) * (64 / bits));
    *one_bit++ = word;
  }
}

// Calls `use` with the number of bits as a constant.
template <class Use>
inline void with_constant(uint32_t bits, Use use) {
  switch (bits) {
    case 1:
      return use.template operator()<1>();
    case 2:
      return use.template operator()<2>();
    case 4:
      return use.template operator()<4>();
    case 8:
      return use.template operator()<8>();
    case 16:
      return use.template operator()<16>();
    default:
      return use.template operator()<32>();
  }
}

void pack(const uint64_t* winners, uint32_t slots, uint32_t bits, bool as_they_are, uint64_t* row) {
  with_constant(bits, [=]<uint32_t kBits>() {
    constexpr size_t kFields = 64 / kBits;
    for (uint32_t begin = 0; begin < slots; begin += 64) {
      alignas(64) uint64_t values[64] = {};
      const size_t size = smaller(slots - begin, 64);
      for (size_t i = 0; i < size; ++i)
        values[i] = as_they_are ? winners[begin + i] : hd::mix64(winners[begin + i]);
      pack_words<kBits>(values, (size + kFields - 1) / kFields, row + begin / kFields);
    }
  });
}

void one_bit(const uint64_t* row, size_t words, uint32_t bits, uint64_t* out) {
  with_constant(bits, [=]<uint32_t kBits>() { low_bits<kBits>(row, words, out); });
}

}  // namespace
}  // namespace neardup
