// Tokens → token values → shingle elements (docs/formats/sketch.md, "Token hash" and "Shingles").
#pragma once

#include "gpu/hd/arithmetic.h"

namespace neardup::hd {

struct TokenKeys {
  u64 k0;
  u64 k1;
  u64 k2;
};

// Little-endian; `at` need not be aligned. A device loads whole words only: there up to 7 bytes
// before and behind are read, too.
NEARDUP_HD u64 load64(const char* at) {
#if defined(__CUDA_ARCH__)
  const u64 address = reinterpret_cast<u64>(at);
  const u64* const words = reinterpret_cast<const u64*>(address & ~u64{7});
  const u32 shift = static_cast<u32>(address & 7) * 8;
  return shift == 0 ? words[0] : words[0] >> shift | words[1] << (64 - shift);
#else
  u64 word;
  __builtin_memcpy(&word, at, sizeof word);
  return word;
#endif
}

// The low `bytes` bytes of a word; bytes ≥ 8 keeps all, bytes ≤ 0 none.
NEARDUP_HD constexpr u64 low_bytes(u64 word, int bytes) {
  if (bytes >= 8) return word;
  if (bytes <= 0) return 0;
  return word & ((u64{1} << (8 * bytes)) - 1);
}

// Keyed hash of `length` bytes by one wide multiply per 16 bytes. Requires: 16 bytes past the end
// may be read.
NEARDUP_HD u64 hash_bytes(const TokenKeys& keys, const char* bytes, u64 length) {
  u64 hash = keys.k2 + length;
  while (length > 16) {
    hash = fold(load64(bytes) ^ keys.k0 ^ hash, load64(bytes + 8) ^ keys.k1);
    bytes += 16;
    length -= 16;
  }
  if (length == 0) return hash;
  const int rest = static_cast<int>(length);
  return fold(low_bytes(load64(bytes), rest) ^ keys.k0 ^ hash,
              low_bytes(load64(bytes + 8), rest - 8) ^ keys.k1);
}

NEARDUP_HD u64 token_value(const TokenKeys& keys, const char* bytes, u64 length) {
  return reduce(hash_bytes(keys, bytes, length));
}

// Polynomial over `size` values mod p (Karp, Rabin 1987), by Horner's rule.
NEARDUP_HD u64 shingle_of(u64 base, const u64* values, u64 size) {
  u64 shingle = 0;
  for (u64 i = 0; i < size; ++i) shingle = add_mod(multiply_mod(shingle, base), values[i]);
  return shingle;
}

// Moves the window of w values by one: `leaving` is the value w places before `entering`, 0 while
// the window fills.
NEARDUP_HD u64 roll(u64 shingle, u64 entering, u64 leaving, u64 base, u64 base_to_w) {
  const u64 shifted = add_mod(multiply_mod(shingle, base), entering);
  return subtract_mod(shifted, multiply_mod(leaving, base_to_w));
}

}  // namespace neardup::hd
