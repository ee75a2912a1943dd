// The plans that all kernels are tested with: every family and option, awkward sizes among them.
#pragma once

#include <ostream>
#include <random>
#include <string>

#include "gpu/backend.h"

namespace neardup {

struct Family {
  std::string name;
  SketchFamily family;
  std::uint32_t size;
  std::uint32_t bits;
  MinhashHash hash = MinhashHash::k2u;
  std::uint64_t universe = 0;
  ShingleOptions shingle = {};
  std::uint32_t bands = 3;
  std::uint32_t rows = 2;

  SketchPlan plan() const {
    SketchPlan plan;
    plan.shingle = shingle;
    plan.sketch.family = family;
    plan.sketch.size = size;
    plan.sketch.bits = bits;
    plan.sketch.hash = hash;
    plan.sketch.universe = universe;
    plan.bands = bands;
    plan.rows = rows;
    return plan;
  }
};
inline void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }

inline std::vector<Family> families() {
  constexpr auto kFast = SketchFamily::kFastSimilarity;
  constexpr auto kMin = SketchFamily::kMinhash;
  constexpr auto kWord = ShingleUnit::kWord;
  constexpr auto kChar = ShingleUnit::kChar;
  return {
      {"fast_default", kFast, 256, 8, {}, 0, {}, 16, 6},
      {"fast_one_bit", kFast, 64, 1, {}, 0, {}, 2, 32},
      {"fast_wide_bands", kFast, 100, 32, {}, 0, {kWord, 3}, 4, 25},
      {"fast_odd_size", kFast, 7, 16, {}, 0, {kWord, 1}, 7, 1},
      {"fast_one_bin", kFast, 1, 2, {}, 0, {kWord, 2}, 1, 1},
      {"fast_large", kFast, 1024, 4, {}, 0, {kWord, 9}, 8, 16},
      {"fast_characters", kFast, 128, 8, {}, 0, {kChar, 7}, 16, 8},
      {"fast_long_shingles", kFast, 128, 8, {}, 0, {kChar, 40}, 16, 8},
      {"two_universal", kMin, 128, 8, MinhashHash::k2u, 0, {}, 16, 8},
      {"two_universal_mod", kMin, 33, 16, MinhashHash::k2u, 1000, {}, 4, 8},
      {"four_universal", kMin, 64, 32, MinhashHash::k4u, 0, {kChar, 3}, 4, 8},
      {"four_universal_mod", kMin, 65, 4, MinhashHash::k4u, 12'345, {}, 13, 5},
      {"multiply_shift", kMin, 130, 2, MinhashHash::kMs32, 0, {}, 10, 13},
      {"multiply_shift_mod", kMin, 40, 8, MinhashHash::kMs32, 77, {}, 10, 4},
      {"permutation", kMin, 50, 8, MinhashHash::kPermutation, 4099, {}, 10, 5},
      {"permutation_of_few", kMin, 20, 1, MinhashHash::kPermutation, 31, {kChar, 2}, 10, 2},
  };
}

// Any plan whose rows differ from those of others.
inline Family random_family(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t end) { return static_cast<std::uint32_t>(random() % end); };
  Family family;
  family.name = "random";
  family.family = below(2) == 0 ? SketchFamily::kFastSimilarity : SketchFamily::kMinhash;
  family.size = 1 + below(below(2) == 0 ? 300 : 40);
  family.bits = 1u << below(6);
  family.shingle = {below(2) == 0 ? ShingleUnit::kWord : ShingleUnit::kChar, 1 + below(12)};
  family.rows = 1 + below(std::min(family.size, 20u));
  family.bands = 1 + below(family.size / family.rows);
  if (family.family == SketchFamily::kFastSimilarity) return family;
  family.hash = static_cast<MinhashHash>(below(4));
  family.universe = family.hash == MinhashHash::kPermutation ? 2 + below(5000)
                    : below(2) == 0                          ? 0
                                                             : 2 + below(1'000'000);
  return family;
}

}  // namespace neardup
