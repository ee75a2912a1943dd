#include "gpu/hd/pack.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace neardup::hd::TEST_FILE {
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

TEST(Pack, gives_the_lowest_bit_of_each_field_side_by_side) {
  std::mt19937_64 random(2);
  for (u32 bits : {1, 2, 4, 8, 16, 32}) {
    const u64 word = random();
    u64 wanted = 0;
    for (u32 slot = 0; slot < 64 / bits; ++slot)
      put_packed(&wanted, slot, 1, packed_value(&word, slot, bits));
    EXPECT_EQ(low_bits_of_fields(word, bits), wanted) << bits;
    EXPECT_EQ(low_bits_of_fields(~u64{0}, bits), value_mask(64 / bits)) << bits;
  }
}

TEST(Pack, gives_any_range_of_bits_of_a_row) {
  const u64 row[] = {0x0123456789abcdef, 0xfedcba9876543210};
  for (u32 first = 0; first < 128; ++first) {
    for (u32 bits = 1; bits <= 64 && first + bits <= 128; ++bits) {
      u64 wanted = 0;
      for (u32 i = 0; i < bits; ++i) wanted |= packed_value(row, first + i, 1) << i;
      ASSERT_EQ(bit_range(row, first, bits), wanted) << first << " " << bits;
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

}  // namespace
}  // namespace neardup::hd::TEST_FILE
