// Winning values → stored b-bit values, 1-bit sketches, band keys (docs/formats/sketch.md).
#pragma once

#include "gpu/hd/arithmetic.h"

namespace neardup::hd {

NEARDUP_HD u64 value_mask(u32 bits) {  // Requires: 0 < bits ≤ 64
  return ~u64{0} >> (64 - bits);
}

// Slot `slot` of a packed row; b divides 64, so a value never straddles two words.
NEARDUP_HD u64 packed_value(const u64* row, u32 slot, u32 bits) {
  const u32 at = slot * bits;
  return (row[at / 64] >> (at % 64)) & value_mask(bits);
}

NEARDUP_HD void put_packed(u64* row, u32 slot, u32 bits, u64 value) {  // Requires: the slot is 0
  const u32 at = slot * bits;
  row[at / 64] |= (value & value_mask(bits)) << (at % 64);
}

// `bits` bits of a packed row from bit `first` on.
NEARDUP_HD u64 bit_range(const u64* row, u32 first, u32 bits) {
  const u32 shift = first % 64;
  u64 word = row[first / 64] >> shift;
  if (shift + bits > 64) word |= row[first / 64 + 1] << (64 - shift);
  return word & value_mask(bits);
}

// The lowest bit of each b-bit field of a word, side by side: its 64 / b bits of the 1-bit sketch.
NEARDUP_HD u64 low_bits_of_fields(u64 word, u32 bits) {
  word &= ~u64{0} / value_mask(bits);
  // Bit 8 i of the word goes to bit 56 + i of the product; no two others meet.
  if (bits == 8) return word * 0x0102040810204080 >> 56;
  // Fields of `width` bits with `kept` bits at their low end; two neighbours become one.
  for (u32 width = bits, kept = 1; width < 64 && bits > 1; width *= 2, kept *= 2) {
    word |= word >> (width - kept);
    word &= ~u64{0} / value_mask(2 * width) * value_mask(2 * kept);
  }
  return word;
}

// The key of one band's bucket, from the stored values of its `rows` slots.
NEARDUP_HD u64 band_key(const u64* sketch, u32 bits, u32 band, u32 rows, u64 key,
                        u64 namespace_hash) {
  u64 hash = mix64(key ^ namespace_hash);
  const u32 end = (band + 1) * rows * bits;
  for (u32 at = band * rows * bits; at < end; at += 64)
    hash = mix64((hash ^ bit_range(sketch, at, end - at < 64 ? end - at : 64)) + kGolden);
  return hash;
}

}  // namespace neardup::hd
