#include "gpu/hd/pack.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace neardup::hd {
namespace {

constexpr u32 kBits[] = {1, 2, 4, 8, 16, 32};

std::vector<u64> random_row(u32 slots, u32 bits) {
  std::mt19937_64 random(slots * bits);
  std::vector<u64> row((slots * bits + 63) / 64);
  for (u32 slot = 0; slot < slots; ++slot) put_packed(row.data(), slot, bits, random());
  return row;
}

TEST(Pack, gives_back_the_low_bits_of_each_value) {
  for (u32 bits : kBits) {
    for (u32 slots : {1u, 63u, 64u, 65u, 256u}) {
      const auto row = random_row(slots, bits);
      std::mt19937_64 random(slots * bits);
      for (u32 slot = 0; slot < slots; ++slot) {
        ASSERT_EQ(packed_value(row.data(), slot, bits), random() % (u64{1} << bits)) << slot;
      }
    }
  }
}

TEST(Pack, band_key_depends_on_every_value_of_its_band_and_on_no_other) {
  for (u32 bits : kBits) {
    for (u32 rows : {1u, 3u, 6u, 40u, 64u}) {
      const u32 band = 2;
      const auto row = random_row(5 * rows, bits);
      const u64 key = band_key(row.data(), bits, band, rows, 1, 2);
      for (u32 slot = 0; slot < 5 * rows; ++slot) {
        auto changed = row;
        changed[slot * bits / 64] ^= u64{1} << (slot * bits % 64);
        const bool same = band_key(changed.data(), bits, band, rows, 1, 2) == key;
        ASSERT_EQ(same, slot / rows != band) << bits << " bits, " << rows << " rows, slot " << slot;
      }
    }
  }
}

TEST(Pack, band_key_of_equal_values_is_equal_wherever_they_stand) {
  for (u32 bits : kBits) {
    const u32 rows = 7;
    auto row = random_row(2 * rows, bits);
    std::vector<u64> moved((4 * rows * bits + 63) / 64);
    for (u32 slot = 0; slot < rows; ++slot) {
      put_packed(moved.data(), 3 * rows + slot, bits, packed_value(row.data(), slot, bits));
    }
    EXPECT_EQ(band_key(row.data(), bits, 0, rows, 1, 2),
              band_key(moved.data(), bits, 3, rows, 1, 2));
  }
}

TEST(Pack, band_key_depends_on_its_own_key_and_on_the_namespace) {
  const auto row = random_row(6, 8);
  const u64 key = band_key(row.data(), 8, 0, 6, 1, 2);
  EXPECT_NE(band_key(row.data(), 8, 0, 6, 3, 2), key);
  EXPECT_NE(band_key(row.data(), 8, 0, 6, 1, 3), key);
}

TEST(Pack, mini_sketch_is_the_last_sixteen_whole_slots) {
  const u64 row[] = {0x1111222233334444, 0x5555666677778888};
  EXPECT_EQ(mini_sketch(row, 9), 0x4444u);  // all slots; the unused bits of a real row are 0
  EXPECT_EQ(mini_sketch(row, 16), 0x4444u);
  EXPECT_EQ(mini_sketch(row, 31), 0x4444u);
  EXPECT_EQ(mini_sketch(row, 32), 0x3333u);
  EXPECT_EQ(mini_sketch(row, 64), 0x1111u);
  EXPECT_EQ(mini_sketch(row, 79), 0x1111u);
  EXPECT_EQ(mini_sketch(row, 128), 0x5555u);
}

}  // namespace
}  // namespace neardup::hd
