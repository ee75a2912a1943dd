// The hash families of b-bit minwise hashing on batches (Li, Shrivastava, König 2012, §3): each a
// small policy with `value(element)`; the minimum over the elements of a set is the winning value.
#pragma once

#include "gpu/hd/arithmetic.h"

namespace neardup::hd {

NEARDUP_HD u64 into_universe(u64 element, u64 universe) {
  return universe == 0 ? element : element % universe;
}

// 2-universal: ((c1 + c2·x) mod p) mod D.
struct TwoUniversal {
  u64 c1;
  u64 c2;
  NEARDUP_HD u64 value(u64 x) const { return add_mod(c1, multiply_mod(c2, x)); }
};

// 4-universal: a polynomial of degree 3 over p, by Horner's rule.
struct FourUniversal {
  u64 c1;
  u64 c2;
  u64 c3;
  u64 c4;
  NEARDUP_HD u64 value(u64 x) const {
    const u64 high = add_mod(c3, multiply_mod(c4, x));
    return add_mod(c1, multiply_mod(add_mod(c2, multiply_mod(high, x)), x));
  }
};

// Strongly universal multiply-shift on 32 bits (Dietzfelbinger 1996).
struct MultiplyShift {
  u64 a;
  u64 b;
  NEARDUP_HD u64 value(u64 x) const { return (a * (x & 0xffffffff) + b) >> 32; }
};

// Permutations of [0, universe). The values of an element lie side by side, so that all functions
// of it are read at once.
struct Permutations {
  const u32* values;  // universe × functions
  u32 functions;
  NEARDUP_HD u64 value(u32 function, u64 x) const { return values[x * functions + function]; }
};

}  // namespace neardup::hd
