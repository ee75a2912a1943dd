// Winning values → stored b-bit values, 1-bit sketches, band keys (docs/formats/sketch.md).
#pragma once

#include "gpu/hd/arithmetic.h"

namespace neardup::hd {

NEARDUP_HD u64 value_mask(u32 bits) { return (u64{1} << bits) - 1; }  // Requires: bits ≤ 32

// Slot `slot` of a packed row; b divides 64, so a value never straddles two words.
NEARDUP_HD u64 packed_value(const u64* row, u32 slot, u32 bits) {
  const u32 at = slot * bits;
  return (row[at / 64] >> (at % 64)) & value_mask(bits);
}

NEARDUP_HD void put_packed(u64* row, u32 slot, u32 bits, u64 value) {  // Requires: the slot is 0
  const u32 at = slot * bits;
  row[at / 64] |= (value & value_mask(bits)) << (at % 64);
}

// The key of one band's bucket, from the stored values of its `rows` slots.
NEARDUP_HD u64 band_key(const u64* sketch, u32 bits, u32 band, u32 rows, u64 key,
                        u64 namespace_hash) {
  u64 hash = mix64(key ^ namespace_hash);
  u64 word = 0;
  u32 filled = 0;
  for (u32 r = 0; r < rows; ++r) {
    word |= packed_value(sketch, band * rows + r, bits) << filled;
    filled += bits;
    if (filled == 64 || r + 1 == rows) {
      hash = mix64((hash ^ word) + kGolden);
      word = 0;
      filled = 0;
    }
  }
  return hash;
}

// The 16 bits beside a posting: the last 16 whole slots of the packed 1-bit sketch.
NEARDUP_HD u32 mini_sketch(const u64* one_bit, u32 slots) {
  const u32 first = slots < 16 ? 0 : slots / 16 * 16 - 16;
  return static_cast<u32>((one_bit[first / 64] >> (first % 64)) & 0xffff);
}

}  // namespace neardup::hd
