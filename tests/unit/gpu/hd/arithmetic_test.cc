#include "gpu/hd/arithmetic.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace neardup::hd::TEST_FILE {
namespace {

using Wide128 = unsigned __int128;

// Residues at the edges, and some in between.
std::vector<u64> residues() {
  std::vector<u64> found{0, 1, 2, 3, 1u << 31, u64{1} << 32, u64{1} << 60, kPrime - 2, kPrime - 1};
  std::mt19937_64 random(1);
  for (int i = 0; i < 200; ++i) found.push_back(random() % kPrime);
  return found;
}

TEST(Arithmetic, reduces_any_word_mod_p) {
  std::mt19937_64 random(2);
  for (u64 x :
       {u64{0}, kPrime - 1, kPrime, kPrime + 1, 2 * kPrime, 7 * kPrime, 8 * kPrime, ~u64{0}}) {
    EXPECT_EQ(reduce(x), x % kPrime) << x;
  }
  for (int i = 0; i < 1000; ++i) {
    const u64 x = random();
    EXPECT_EQ(reduce(x), x % kPrime) << x;
  }
}

TEST(Arithmetic, adds_subtracts_and_multiplies_mod_p) {
  for (u64 a : residues()) {
    for (u64 b : residues()) {
      ASSERT_EQ(add_mod(a, b), static_cast<u64>((Wide128{a} + b) % kPrime)) << a << " " << b;
      ASSERT_EQ(add_mod(subtract_mod(a, b), b), a) << a << " " << b;
      ASSERT_LT(subtract_mod(a, b), kPrime) << a << " " << b;
      ASSERT_EQ(multiply_mod(a, b), static_cast<u64>(Wide128{a} * b % kPrime)) << a << " " << b;
    }
  }
}

TEST(Arithmetic, folds_both_halves_of_the_product) {
  EXPECT_EQ(fold(0, ~u64{0}), 0u);
  EXPECT_EQ(fold(u64{1} << 32, u64{1} << 32), 1u);
  EXPECT_EQ(fold(~u64{0}, ~u64{0}), 1u ^ ~u64{1});
}

TEST(Arithmetic, derives_another_key_for_every_label_index_and_half_of_the_seed) {
  std::set<u64> keys;
  for (u32 label : {0u, 1u, 2u, 4096u}) {
    for (u32 i : {0u, 1u, 2u, ~0u}) {
      for (u64 s0 : {u64{0}, kGolden}) {
        for (u64 s1 : {u64{0}, u64{1}}) keys.insert(derive(s0, s1, label, i));
      }
    }
  }
  EXPECT_EQ(keys.size(), 64u);
}

}  // namespace
}  // namespace neardup::hd::TEST_FILE
