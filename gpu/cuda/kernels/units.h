// Normalised text → values of its tokens or code points.
#pragma once

#include "gpu/cuda/piece.h"
#include "gpu/hd/bit_count.h"
#include "gpu/hd/units.h"

namespace neardup::cuda {

inline constexpr u32 kShare = 16;  // bytes of a thread in a step

// Bit i: a unit begins at text[at + i].
NEARDUP_HD u32 unit_starts(ShingleUnit unit, const char* text, u64 at, u64 end) {
  if (at >= end) return 0;
  u32 starts;
  if (unit == ShingleUnit::kChar) {
    starts = hd::gather_tops(hd::lead_tops(hd::load64(text + at))) |
             hd::gather_tops(hd::lead_tops(hd::load64(text + at + 8))) << 8;
  } else if (at > 0) {
    starts = hd::gather_tops(hd::space_tops(hd::load64(text + at - 1))) |
             hd::gather_tops(hd::space_tops(hd::load64(text + at + 7))) << 8;
  } else {
    starts = hd::gather_tops(hd::space_tops(hd::load64(text))) << 1 |
             hd::gather_tops(hd::space_tops(hd::load64(text + 8))) << 9 | 1;
    starts &= 0xffff;
  }
  return end - at < kShare ? starts & ((1u << (end - at)) - 1) : starts;
}

// Requires: `most` bytes are left of the text.
NEARDUP_HD u64 word_length(const char* text, u64 most) {
  for (u64 at = 0; at < most; at += 8) {
    const u64 tops = hd::space_tops(hd::load64(text + at));
    if (tops == 0) continue;
    const u64 length = at + hd::trailing_zeros(tops) / 8;
    return length < most ? length : most;
  }
  return most;
}

NEARDUP_HD u64 unit_value(const Parameters& how, const char* text, u64 at, u64 length) {
  const u64 bytes = how.unit == ShingleUnit::kChar ? hd::code_point_length(text[at])
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
