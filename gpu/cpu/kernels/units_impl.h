// Part of impl.h: normalised text → values of its code points, and what words (words_impl.h) need,
// too. Bitmaps of 64 bytes at a time give the boundaries of units.
#pragma once

#include "gpu/cpu/kernels/impl_types.h"
#include "gpu/hd/shingle.h"
#include "gpu/hd/units.h"

namespace neardup {
namespace {

// The classes of bytes that a bitmap can find. `marks` sets the top bit of each byte of the class;
// `bits` is the bitmap itself.
struct Spaces {
#if defined(__AVX512BW__)
  static uint64_t bits(__m512i bytes) {
    return _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(' '));
  }
#elif defined(__AVX2__)
  static __m256i marks(__m256i bytes) { return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(' ')); }
#else
  static uint64_t marks(uint64_t bytes) { return hd::space_tops(bytes); }
#endif
};

// Code points start at bytes that are not 10xxxxxx.
struct Leads {
#if defined(__AVX512BW__)
  static uint64_t bits(__m512i bytes) {
    return _mm512_cmpgt_epi8_mask(bytes, _mm512_set1_epi8(-65));
  }
#elif defined(__AVX2__)
  static __m256i marks(__m256i bytes) { return _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(-65)); }
#else
  static uint64_t marks(uint64_t bytes) { return hd::lead_tops(bytes); }
#endif
};

struct NotAscii {
#if defined(__AVX512BW__)
  static uint64_t bits(__m512i bytes) { return _mm512_movepi8_mask(bytes); }
#elif defined(__AVX2__)
  static __m256i marks(__m256i bytes) { return bytes; }
#else
  static uint64_t marks(uint64_t bytes) { return bytes; }
#endif
};

// Bit i is set where text[i] is of the class `Which`, for i < length. Reads 64 bytes.
template <class Which>
inline uint64_t bitmap(const char* text, size_t length) {
#if defined(__AVX512BW__)
  const uint64_t bits = Which::bits(_mm512_loadu_si512(text));
#elif defined(__AVX2__)
  const auto half = [](const char* at) {
    return static_cast<uint32_t>(_mm256_movemask_epi8(
        Which::marks(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)))));
  };
  const uint64_t bits = half(text) | uint64_t{half(text + 32)} << 32;
#else
  uint64_t bits = 0;
  for (unsigned i = 0; i < 64; i += 8)
    bits |= uint64_t{hd::gather_tops(Which::marks(hd::load64(text + i)))} << i;
#endif
  return length < 64 ? bits & ((uint64_t{1} << length) - 1) : bits;
}

// Writes base + the place of each set bit and returns the end; up to 64 numbers may be written
// past it.
inline uint32_t* put_places(uint64_t bits, uint32_t base, uint32_t* out) {
  uint32_t* const end = out + __builtin_popcountll(bits);
#if defined(__AVX512VBMI2__)
  alignas(64) static constexpr unsigned char kPlaces[64] = {
      0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
      22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
      44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
  alignas(64) unsigned char places[64];
  const __m512i set = _mm512_maskz_compress_epi8(bits, _mm512_load_si512(kPlaces));
  const auto put = [&](__m128i bytes, uint32_t* to) {
    _mm512_storeu_si512(to, _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(base)),
                                             _mm512_cvtepu8_epi32(bytes)));
  };
  put(_mm512_castsi512_si128(set), out);
  if (end - out > 16) {
    _mm512_store_si512(places, set);
    for (int i = 16; i < 64; i += 16)
      put(_mm_load_si128(reinterpret_cast<const __m128i*>(places + i)), out + i);
  }
#else
  // Always eight at a time: a loop that stops at the exact end would be mispredicted once a block.
  const uint64_t sentinel = uint64_t{1} << 63;
  while (out < end) {
    for (int i = 0; i < 8; ++i) {
      out[i] = base + static_cast<uint32_t>(__builtin_ctzll(bits | sentinel));
      bits &= bits - 1;
    }
    out += 8;
  }
#endif
  return end;
}

// Masks that keep the first n ≤ 16 bytes of two words.
struct ShortMasks {
  uint64_t low[17];
  uint64_t high[17];
};
constexpr ShortMasks make_short_masks() {
  ShortMasks masks{};
  for (int n = 0; n <= 16; ++n) {
    masks.low[n] = hd::low_bytes(~uint64_t{0}, n);
    masks.high[n] = hd::low_bytes(~uint64_t{0}, n - 8);
  }
  return masks;
}
constexpr ShortMasks kShortMasks = make_short_masks();

// hd::token_value without a branch on the length. Requires: 0 < length ≤ 16.
inline uint64_t short_token_value(const hd::TokenKeys& keys, const char* bytes, uint64_t length) {
  const uint64_t low = hd::load64(bytes) & kShortMasks.low[length];
  const uint64_t high = hd::load64(bytes + 8) & kShortMasks.high[length];
  return hd::reduce(hd::fold(low ^ keys.k0 ^ (keys.k2 + length), high ^ keys.k1));
}

size_t char_values(const ShingleKeys& keys, const char* text, size_t length, uint64_t* values) {
  const hd::TokenKeys token = keys.token;
  size_t count = 0;
  for (size_t begin = 0; begin < length; begin += 64) {
    const char* block = text + begin;
    const size_t size = smaller(length - begin, 64);
    if (bitmap<NotAscii>(block, size) == 0) {
      for (size_t i = 0; i < size; ++i)
        values[count++] = keys.ascii[static_cast<unsigned char>(block[i])];
      continue;
    }
    for (uint64_t leads = bitmap<Leads>(block, size); leads != 0; leads &= leads - 1) {
      const char* at = block + __builtin_ctzll(leads);
      values[count++] = short_token_value(token, at, hd::code_point_length(*at));
    }
  }
  return count;
}

}  // namespace
}  // namespace neardup
