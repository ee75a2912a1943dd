#include "gpu/hd/bit_count.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace neardup::hd::TEST_FILE {
namespace {

// Single bits, prefixes, alternations and random words of every density.
std::vector<u64> words() {
  std::vector<u64> found{0, ~u64{0}, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 0x00ff00ff00ff00ff};
  for (u32 i = 0; i < 64; ++i) {
    found.push_back(u64{1} << i);
    found.push_back(~u64{0} >> i);
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 500; ++i) {
    const u64 a = random();
    const u64 b = random();
    for (u64 word : {a, a & b, a | b, a & b & random()}) found.push_back(word);
  }
  return found;
}

u32 bits_of_field(u64 word, u32 field, u32 width) {
  u32 count = 0;
  for (u32 i = 0; i < width; ++i) count += static_cast<u32>(word >> (field * width + i) & 1);
  return count;
}

u64 field_of(u64 word, u32 field, u32 width) {
  return width == 64 ? word : word >> (field * width) & ((u64{1} << width) - 1);
}

TEST(BitCount, is_the_same_by_all_methods) {
  for (u64 word : words()) {
    const u32 naive = bits_of_field(word, 0, 64);
    EXPECT_EQ(count_naive(word), naive) << word;
    EXPECT_EQ(count_divide_and_conquer(word), naive) << word;
    EXPECT_EQ(count_hardware(word), naive) << word;
  }
}

TEST(BitCount, counts_every_small_sketch_of_a_word_in_its_own_field) {
  for (u32 width : {2, 4, 8, 16, 32}) {
    for (u64 word : words()) {
      const u64 counts = count_fields(word, width);
      for (u32 field = 0; field < 64 / width; ++field) {
        ASSERT_EQ(field_of(counts, field, width), bits_of_field(word, field, width))
            << "field " << field << " of " << width << " bits of " << word;
      }
    }
  }
}

TEST(BitCount, packs_the_counts_of_several_words_in_one) {
  for (u32 width : {8, 16, 32, 64}) {
    const u32 count_bits = width == 8 ? 4 : 8;
    const u32 merged = words_of_packed_counts(width);
    ASSERT_EQ(merged, width / count_bits);
    auto some = words();
    some.insert(some.begin(), 8, ~u64{0});  // the largest counts next to each other
    for (std::size_t first = 0; first + merged <= some.size(); ++first) {
      std::vector<u64> overwritten(some.begin() + static_cast<long>(first),
                                   some.begin() + static_cast<long>(first + merged));
      const u64 counts = pack_counts(overwritten.data(), width);
      for (u32 i = 0; i < 64 / count_bits; ++i) {
        ASSERT_EQ(field_of(counts, i, count_bits),
                  bits_of_field(some[first + i % merged], i / merged, width))
            << "count " << i << " of sketches of " << width << " bits at word " << first;
      }
    }
  }
}

TEST(BitCount, finds_the_fields_that_are_zero) {
  std::mt19937_64 random(2);
  for (u32 bits : {1, 2, 4, 8, 16, 32}) {
    auto some = words();
    for (int i = 0; i < 500; ++i) {  // fields zero half of the time
      u64 word = 0;
      for (u32 field = 0; field < 64 / bits; ++field) {
        if (random() % 2 == 0) word |= field_of(random(), 0, bits) << (field * bits);
      }
      some.push_back(word);
    }
    for (u64 word : some) {
      u32 naive = 0;
      for (u32 field = 0; field < 64 / bits; ++field) naive += field_of(word, field, bits) == 0;
      ASSERT_EQ(zero_fields(word, bits), naive) << bits << " bits of " << word;
    }
  }
}

}  // namespace
}  // namespace neardup::hd::TEST_FILE
