// Part of impl.h: normalised text → values of its words.
#pragma once

#include "gpu/cpu/kernels/impl_types.h"
#include "gpu/cpu/kernels/modular_impl.h"
#include "gpu/cpu/kernels/units_impl.h"
#include "gpu/hd/shingle.h"

namespace neardup {
namespace {

constexpr size_t kTextChunk = 2048;

// Word i > 0 of a chunk of text is chunk[ends[i − 1] + 1, ends[i]).
struct WordEnds {
  size_t count = 0;
  uint32_t ends[kTextChunk + 64];
};

inline void find_words(const char* chunk, size_t size, bool is_last, WordEnds& words) {
  uint32_t* last = words.ends;
  for (size_t at = 0; at < size; at += 64)
    last = put_places(bitmap<Spaces>(chunk + at, size - at), static_cast<uint32_t>(at), last);
  if (is_last) *last++ = static_cast<uint32_t>(size);
  words.count = static_cast<size_t>(last - words.ends);
}

#if defined(__AVX512DQ__)

// Short words (hd::token_value) eight at once, whose first 16 bytes are at `bytes`.
inline __m512i short_word_values(const hd::TokenKeys& keys, const __m128i* bytes, __m512i lengths) {
  const __m512i even = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
  const __m512i odd = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
  const __m512i ones = all_lanes(~uint64_t{0});
  const __m512i first = _mm512_load_si512(bytes);
  const __m512i second = _mm512_load_si512(bytes + 4);
  const __m512i low_bits = _mm512_slli_epi64(lengths, 3);  // a shift by 64 and more leaves nothing
  const __m512i high_bits = _mm512_subs_epu16(low_bits, all_lanes(64));
  const __m512i low = _mm512_andnot_si512(_mm512_sllv_epi64(ones, low_bits),
                                          _mm512_permutex2var_epi64(first, even, second));
  const __m512i high = _mm512_andnot_si512(_mm512_sllv_epi64(ones, high_bits),
                                           _mm512_permutex2var_epi64(first, odd, second));
  const __m512i hash = _mm512_add_epi64(lengths, all_lanes(keys.k2));
  return reduce(fold(_mm512_xor_si512(_mm512_xor_si512(low, all_lanes(keys.k0)), hash),
                     _mm512_xor_si512(high, all_lanes(keys.k1))));
}

// The lengths of eight words, of which word i is chunk[before[i] + 1, before[i + 1]).
inline __m512i word_lengths(const uint32_t* before) {
  const auto load = [](const uint32_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  };
  const __m256i distances = _mm256_sub_epi32(load(before + 1), load(before));
  return _mm512_cvtepu32_epi64(_mm256_sub_epi32(distances, _mm256_set1_epi32(1)));
}

// Values of all words but the first. The bytes of 64 words are copied side by side before they are
// hashed: to gather them would take longer.
inline void inner_word_values(const hd::TokenKeys& keys, const char* chunk, const WordEnds& words,
                              uint64_t* values) {
  constexpr size_t kAtOnce = 64;
  alignas(64) __m128i bytes[kAtOnce];
  for (size_t begin = 1; begin < words.count; begin += kAtOnce) {
    const uint32_t* const before = words.ends + begin - 1;
    const size_t size = smaller(words.count - begin, kAtOnce);
    for (size_t i = 0; i < size; ++i) {
      const char* start = chunk + before[i] + 1;
      _mm_store_si128(bytes + i, _mm_loadu_si128(reinterpret_cast<const __m128i*>(start)));
    }
    for (size_t i = 0; i < size; i += 8) {
      const __mmask8 mask = lanes(size - i);
      const __m512i lengths = word_lengths(before + i);
      _mm512_mask_storeu_epi64(values + begin + i, mask,
                               short_word_values(keys, bytes + i, lengths));
      for (unsigned longer = _mm512_mask_cmpgt_epu64_mask(mask, lengths, all_lanes(16));
           longer != 0; longer &= longer - 1) {
        const size_t word = i + static_cast<size_t>(__builtin_ctz(longer));
        const uint32_t start = before[word] + 1;
        values[begin + word] = hd::token_value(keys, chunk + start, before[word + 1] - start);
      }
    }
  }
}

#else

// Values of all words but the first.
inline void inner_word_values(const hd::TokenKeys& keys, const char* chunk, const WordEnds& words,
                              uint64_t* values) {
  for (size_t i = 1; i < words.count; ++i) {
    const char* start = chunk + words.ends[i - 1] + 1;
    const uint64_t length = words.ends[i] - words.ends[i - 1] - 1;
    values[i] = length <= 16 ? short_token_value(keys, start, length)
                             : hd::token_value(keys, start, length);
  }
}

#endif

size_t word_values(const ShingleKeys& shingle_keys, const char* text, size_t length,
                   uint64_t* values) {
  const hd::TokenKeys keys = shingle_keys.token;
  WordEnds words;
  size_t count = 0;
  const char* start = text;
  for (size_t begin = 0; begin < length; begin += kTextChunk) {
    const char* chunk = text + begin;
    const size_t size = smaller(length - begin, kTextChunk);
    find_words(chunk, size, begin + size == length, words);
    if (words.count == 0) continue;
    // The first word may begin in an earlier chunk.
    values[count] =
        hd::token_value(keys, start, static_cast<uint64_t>(chunk + words.ends[0] - start));
    inner_word_values(keys, chunk, words, values + count);
    count += words.count;
    start = chunk + words.ends[words.count - 1] + 1;
  }
  return count;
}

}  // namespace
}  // namespace neardup
