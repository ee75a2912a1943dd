// Comparing sketches: every SIMD level and bit-count method equals the naive count, early out or
// not.
#include "gpu/cpu/compare.h"

#include <gtest/gtest.h>

#include <random>

#include "gpu/cpu/kernels/kernels.h"
#include "gpu/hd/pack.h"
#include "tests/equality/levels.h"

namespace neardup::TEST_FILE {
namespace {

constexpr std::uint32_t kSlots[] = {1, 16, 63, 64, 65, 100, 256, 1000};
constexpr std::uint32_t kBits[] = {1, 2, 4, 8, 16, 32};

using Words = std::vector<std::uint64_t>;

// A pair of rows whose values are equal with the given chance.
struct Pair {
  SketchShape shape;
  Words a, b;
  Words one_a, one_b;

  Pair(std::mt19937_64& random, const SketchShape& of, double chance)
      : shape(of), a(of.sketch_words()), b(a), one_a(of.one_bit_words()), one_b(one_a) {
    std::bernoulli_distribution copied(chance);
    for (std::uint32_t slot = 0; slot < of.slots; ++slot) {
      const std::uint64_t value = random();
      const std::uint64_t other = copied(random) ? value : random();
      hd::put_packed(a.data(), slot, of.bits, value);
      hd::put_packed(b.data(), slot, of.bits, other);
      hd::put_packed(one_a.data(), slot, 1, value);
      hd::put_packed(one_b.data(), slot, 1, other);
    }
  }

  bool equal(std::uint32_t slot) const {
    return hd::packed_value(a.data(), slot, shape.bits) ==
           hd::packed_value(b.data(), slot, shape.bits);
  }
  std::uint32_t naive_values() const {
    std::uint32_t count = 0;
    for (std::uint32_t slot = 0; slot < shape.slots; ++slot) count += equal(slot);
    return count;
  }
  std::uint32_t naive_bits() const {
    std::uint32_t count = 0;
    for (std::uint32_t slot = 0; slot < shape.slots; ++slot) {
      count += hd::packed_value(one_a.data(), slot, 1) == hd::packed_value(one_b.data(), slot, 1);
    }
    return count;
  }
  std::uint32_t naive_bands() const {
    std::uint32_t hit = 0;
    for (std::uint32_t band = 0; band < shape.bands; ++band) {
      bool all = true;
      for (std::uint32_t r = 0; r < shape.rows; ++r) all = all && equal(band * shape.rows + r);
      hit += all;
    }
    return hit;
  }
};

class Compare : public testing::TestWithParam<SimdLevel> {
 protected:
  template <class Check>
  void for_each_pair(Check check) {
    std::mt19937_64 random(1);
    for (std::uint32_t slots : kSlots) {
      for (std::uint32_t bits : kBits) {
        const SketchShape shape{slots, bits, (slots + 2) / 3, slots < 3 ? 1u : 3u};
        for (double chance : {0.0, 0.3, 0.8, 1.0}) {
          SCOPED_TRACE(testing::Message()
                       << slots << " × " << bits << " bits, " << chance << " equal");
          check(Pair(random, {slots, bits, slots / shape.rows, shape.rows}, chance));
        }
      }
    }
  }
  SketchComparer comparer(const SketchShape& shape, BitCount method = BitCount::kAuto) {
    return SketchComparer(shape, {.threads = 1, .simd = GetParam(), .bit_count = method});
  }
};

INSTANTIATE_TEST_SUITE_P(Levels, Compare, testing::ValuesIn(levels()), level_name);

TEST_P(Compare, counts_equal_values_and_bands) {
  for_each_pair([&](const Pair& pair) {
    const SketchComparer compare = comparer(pair.shape);
    EXPECT_EQ(compare.equal_values(pair.a.data(), pair.b.data()), pair.naive_values());
    EXPECT_EQ(compare.bands_hit(pair.a.data(), pair.b.data()), pair.naive_bands());
  });
}

TEST_P(Compare, counts_equal_bits_by_every_method_and_never_less_than_equal_values) {
  for (BitCount method : {BitCount::kAuto, BitCount::kHardware, BitCount::kWordParallel,
                          BitCount::kDivideAndConquer, BitCount::kNaive}) {
    for_each_pair([&](const Pair& pair) {
      const SketchComparer compare = comparer(pair.shape, method);
      const std::uint32_t bits = compare.equal_bits(pair.one_a.data(), pair.one_b.data());
      EXPECT_EQ(bits, pair.naive_bits());
      EXPECT_GE(bits, pair.naive_values());
    });
  }
}

TEST_P(Compare, stops_early_with_the_answer_of_the_full_count) {
  for_each_pair([&](const Pair& pair) {
    const SketchComparer compare = comparer(pair.shape);
    const std::uint32_t count = pair.naive_values();
    for (std::uint32_t need = 0; need <= pair.shape.slots + 1; ++need) {
      ASSERT_EQ(compare.reaches(pair.a.data(), pair.b.data(), need), count >= need) << need;
    }
  });
}

TEST_P(Compare, counts_differing_bits_of_rows_of_any_length_by_every_method) {
  std::mt19937_64 random(2);
  const Kernels& level = kernels(GetParam());
  for (std::size_t words = 0; words <= 130; ++words) {
    Words a(words), b(words);
    for (int fill = 0; fill < 3; ++fill) {
      std::uint32_t naive = 0;
      for (std::size_t i = 0; i < words; ++i) {
        a[i] = fill == 0 ? random() : ~std::uint64_t{0};
        b[i] = fill == 2 ? ~std::uint64_t{0} : fill == 1 ? 0 : random();
        for (int bit = 0; bit < 64; ++bit)
          naive += static_cast<std::uint32_t>((a[i] ^ b[i]) >> bit & 1);
      }
      for (auto method : {level.hamming_hardware, level.hamming_word_parallel,
                          level.hamming_divide_and_conquer, level.hamming_naive}) {
        ASSERT_EQ(method(a.data(), b.data(), words), naive) << words << " words";
      }
    }
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
