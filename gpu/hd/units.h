// Where the units of a normalised text begin and end, eight bytes at a time.
#pragma once

#include "gpu/hd/arithmetic.h"

namespace neardup::hd {

// Sets the top bit of each byte that is a space, and no other bit.
NEARDUP_HD u64 space_tops(u64 bytes) {
  const u64 low = 0x7f7f7f7f7f7f7f7f;
  const u64 other = bytes ^ 0x2020202020202020;
  return ~(((other & low) + low) | other) & ~low;
}

// Sets the top bit of each byte that begins a code point (not 10xxxxxx); all lower bits are
// undefined.
NEARDUP_HD u64 lead_tops(u64 bytes) { return ~bytes | bytes << 1; }

// The top bits of the eight bytes side by side: the multiplication moves them next to each other.
NEARDUP_HD u32 gather_tops(u64 bytes) {
  return static_cast<u32>((bytes >> 7 & 0x0101010101010101) * 0x0102040810204080 >> 56);
}

// Bytes of the code point that begins with `lead`.
NEARDUP_HD u64 code_point_length(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return u64{1} + (byte >= 0xc0) + (byte >= 0xe0) + (byte >= 0xf0);
}

}  // namespace neardup::hd
