#include "gpu/keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace neardup::TEST_FILE {
namespace {

SketchPlan minhash(MinhashHash hash, std::uint64_t universe) {
  SketchPlan plan;
  plan.sketch.family = SketchFamily::kMinhash;
  plan.sketch.hash = hash;
  plan.sketch.universe = universe;
  plan.sketch.size = 16;
  plan.bands = 3;
  plan.rows = 5;
  return plan;
}

TEST(Keys, has_one_key_for_each_hash_function_of_the_family_in_use_alone) {
  SketchPlan plan;
  plan.bands = 16;
  const SketchKeys fast = make_sketch_keys(plan);
  EXPECT_EQ(fast.rounds.size(), 512u);
  EXPECT_EQ(fast.bands.size(), 16u);
  EXPECT_TRUE(fast.two_universal.empty());
  EXPECT_EQ(make_sketch_keys(minhash(MinhashHash::k2u, 0)).two_universal.size(), 16u);
  EXPECT_EQ(make_sketch_keys(minhash(MinhashHash::k4u, 0)).four_universal.size(), 16u);
  EXPECT_EQ(make_sketch_keys(minhash(MinhashHash::kMs32, 0)).multiply_shift.size(), 16u);
}

TEST(Keys, multipliers_are_residues_and_not_zero) {
  for (const auto& f : make_sketch_keys(minhash(MinhashHash::k2u, 0)).two_universal) {
    EXPECT_LT(f.c1, hd::kPrime);
    EXPECT_LT(f.c2, hd::kPrime);
    EXPECT_GE(f.c2, 1u);
  }
}

TEST(Keys, each_column_of_the_matrix_is_another_permutation) {
  for (std::uint32_t k : {16u, 37u}) {
    for (std::uint32_t universe : {2u, 1000u}) {
      SketchPlan plan = minhash(MinhashHash::kPermutation, universe);
      plan.sketch.size = k;
      const auto matrix = make_sketch_keys(plan).permutations;
      ASSERT_EQ(matrix.size(), std::size_t{k} * universe);
      std::set<std::vector<std::uint32_t>> columns;
      for (std::uint32_t j = 0; j < k; ++j) {
        std::vector<std::uint32_t> column;
        for (std::uint32_t x = 0; x < universe; ++x) column.push_back(matrix[x * k + j]);
        columns.insert(column);
        std::sort(column.begin(), column.end());
        for (std::uint32_t i = 0; i < universe; ++i) ASSERT_EQ(column[i], i);
      }
      EXPECT_EQ(columns.size(), universe == 2 ? 2u : k) << universe;
    }
  }
}

TEST(Keys, base_to_w_is_the_power_of_the_base) {
  for (std::uint32_t w : {1u, 2u, 5u, 50u}) {
    const ShingleKeys keys = make_shingle_keys(Seed{}, w);
    std::uint64_t power = 1;
    for (std::uint32_t i = 0; i < w; ++i) {
      power = static_cast<std::uint64_t>(static_cast<unsigned __int128>(power) * keys.base %
                                         hd::kPrime);
    }
    EXPECT_EQ(keys.base_to_w, power);
  }
}

TEST(Keys, both_halves_of_the_seed_change_every_key) {
  const SketchKeys keys = make_sketch_keys(SketchPlan{});
  for (Seed seed : {Seed{Seed{}.s0 + 1, Seed{}.s1}, Seed{Seed{}.s0, Seed{}.s1 + 1}}) {
    SketchPlan plan;
    plan.sketch.seed = seed;
    const SketchKeys other = make_sketch_keys(plan);
    EXPECT_NE(keys.shingle.base, other.shingle.base);
    EXPECT_NE(keys.shingle.token.k0, other.shingle.token.k0);
    for (std::size_t i = 0; i < keys.rounds.size(); ++i) ASSERT_NE(keys.rounds[i], other.rounds[i]);
    EXPECT_NE(content_secret(Seed{}), content_secret(seed));
    EXPECT_NE(seed_check_value(Seed{}), seed_check_value(seed));
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
