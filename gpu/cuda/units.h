// Normalised text → values of its tokens or code points.
#pragma once

#include "gpu/cuda/piece.h"
#include "gpu/hd/bit_count.h"

namespace neardup::cuda {

// The top bit of each byte that is a space.
NEARDUP_HD u64 space_tops(u64 bytes) {
  const u64 low = 0x7f7f7f7f7f7f7f7f;
  const u64 other = bytes ^ 0x2020202020202020;
  return ~(((other & low) + low) | other) & ~low;
}

// The top bit of each byte that begins a code point: not 10xxxxxx.
NEARDUP_HD u64 lead_tops(u64 bytes) { return (~bytes | bytes << 1) & 0x8080808080808080; }

// The top bits of 8 bytes, side by side.
NEARDUP_HD u32 gather_tops(u64 tops) {
  return static_cast<u32>((tops >> 7) * 0x0102040810204080 >> 56);
}

inline constexpr u32 kShare = 16;  // bytes of a thread in a step

// Bit i: a unit begins at text[at + i].
NEARDUP_HD u32 unit_starts(ShingleUnit unit, const char* text, u64 at, u64 end) {
  if (at >= end) return 0;
  u32 starts;
  if (unit == ShingleUnit::kChar) {
    starts = gather_tops(lead_tops(hd::load64(text + at))) |
             gather_tops(lead_tops(hd::load64(text + at + 8))) << 8;
  } else if (at > 0) {
    starts = gather_tops(space_tops(hd::load64(text + at - 1))) |
             gather_tops(space_tops(hd::load64(text + at + 7))) << 8;
  } else {
    starts = gather_tops(space_tops(hd::load64(text))) << 1 |
             gather_tops(space_tops(hd::load64(text + 8))) << 9 | 1;
    starts &= 0xffff;
  }
  return end - at < kShare ? starts & ((1u << (end - at)) - 1) : starts;
}

// Requires: `most` bytes are left of the text.
NEARDUP_HD u64 word_length(const char* text, u64 most) {
  for (u64 at = 0; at < most; at += 8) {
    const u64 tops = space_tops(hd::load64(text + at));
    if (tops == 0) continue;
    const u64 length = at + hd::trailing_zeros(tops) / 8;
    return length < most ? length : most;
  }
  return most;
}

NEARDUP_HD u64 code_point_length(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return u64{1} + (byte >= 0xc0) + (byte >= 0xe0) + (byte >= 0xf0);
}

NEARDUP_HD u64 unit_value(const Parameters& how, const char* text, u64 at, u64 length) {
  const u64 bytes = how.unit == ShingleUnit::kChar ? code_point_length(text[at])
                                                   : word_length(text + at, length - at);
  return hd::token_value(how.token, text + at, bytes);
}

// Counts the units that begin in text[begin, end) of a document of `length` bytes, and writes their
// values unless `values` is null. Uses kSumWords words at `counts`.
template <class Group>
NEARDUP_HD u32 find_units(Group& group, u32* counts, const Parameters& how, const char* text,
                          u64 length, u64 begin, u64 end, u64* values) {
  u32 found = 0;
  for (u64 step = begin; step < end; step += Group::kThreads * kShare) {
    group.each([&](u32 thread) {
      counts[thread] = hd::count_hardware(unit_starts(how.unit, text, step + thread * kShare, end));
    });
    const u32 here = group.exclusive_sums(counts);
    if (values != nullptr) {
      group.each([&](u32 thread) {
        const u64 at = step + thread * kShare;
        u64* out = values + found + counts[thread];
        for (u32 starts = unit_starts(how.unit, text, at, end); starts != 0; starts &= starts - 1) {
          *out++ = unit_value(how, text, at + hd::trailing_zeros(starts), length);
        }
      });
    }
    found += here;
  }
  return found;
}

}  // namespace neardup::cuda
