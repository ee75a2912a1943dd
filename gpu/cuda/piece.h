// The work of one launch of all kernels: documents whose texts, intermediate values and rows fit
// into the memory of one slot. Plain views; the owner is slot.h, or a test.
#pragma once

#include "gpu/cuda/group.h"
#include "gpu/hd/minhash.h"
#include "gpu/hd/shingle.h"
#include "gpu/options.h"

namespace neardup::cuda {

// All that fixes the bits of a row (SketchPlan and SketchKeys, on the device).
struct Parameters {
  ShingleUnit unit;
  u32 shingle_size;
  hd::TokenKeys token;
  u64 base;
  u64 base_to_w;
  SketchFamily family;
  MinhashHash hash;
  u32 slots;
  u32 bits;
  u32 bands;
  u32 rows;
  u64 universe;  // 0: none
  bool permutation;
  const u64* round_keys;  // 2 · slots
  const hd::TwoUniversal* two_universal;
  const hd::FourUniversal* four_universal;
  const hd::MultiplyShift* multiply_shift;
  const u32* permutations;  // universe × slots
  const u64* band_keys;

  NEARDUP_HD u32 sketch_words() const { return (slots * bits + 63) / 64; }
  NEARDUP_HD u32 one_bit_words() const { return (slots + 63) / 64; }
};

struct Document {
  u64 text;    // its first byte in Piece::text
  u64 values;  // its first place in Piece::values and Piece::elements
  u64 namespace_hash;
  u32 length;    // bytes, > 0
  u32 segment;   // of a long one: the first of its segments
  u32 segments;  // of a long one
};

// A part of a long document: its bytes [begin, end).
struct Segment {
  u32 document;
  u32 begin;
  u32 end;
};

// Documents [0, short_end) take a warp each, [short_end, long_begin) a block each, the others are
// cut into segments of a block each. Row i belongs to document i.
struct Piece {
  const char* text;  // 16 readable bytes behind the last
  const Document* documents;
  const Segment* segments;
  u32 short_end;
  u32 long_begin;
  u32 document_count;
  u32 segment_count;

  u64* values;         // of units
  u64* elements;       // of shingles
  u32* units;          // of each document
  u32* segment_units;  // of each segment
  u64* long_winners;   // slots for each long document; all bytes 0xff at the start

  u64* sketches;
  u64* one_bit;
  u64* buckets;
  u32* distinct_shingles;  // permutation only
  u32* bitmaps;            // permutation only: kBitmaps of universe bits, zeros at the start
};

inline constexpr u32 kBitmaps = 64;

NEARDUP_HD u64 bitmap_words(u64 universe) { return (universe + 31) / 32; }

NEARDUP_HD u64 count_elements(u64 units, u32 shingle_size) {
  return units <= shingle_size ? 1 : units - shingle_size + 1;
}

}  // namespace neardup::cuda
