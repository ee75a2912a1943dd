#include "gpu/cpu/compare.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "gpu/hd/pack.h"

namespace neardup::TEST_FILE {
namespace {

// Value by value.
std::uint32_t bands_hit(const SketchShape& shape, const std::uint64_t* a, const std::uint64_t* b) {
  std::uint32_t hit = 0;
  for (std::uint32_t band = 0; band < shape.bands; ++band) {
    bool equal = true;
    for (std::uint32_t slot = band * shape.rows; slot < (band + 1) * shape.rows; ++slot) {
      equal =
          equal && hd::packed_value(a, slot, shape.bits) == hd::packed_value(b, slot, shape.bits);
    }
    hit += equal ? 1 : 0;
  }
  return hit;
}

TEST(SketchComparer, CountsTheBandsWhoseValuesAreAllEqual) {
  std::mt19937_64 random(11);
  for (const std::uint32_t bits : {1, 2, 4, 8, 16, 32, 64}) {
    for (const std::uint32_t rows : {1, 3, 5, 7, 16, 24}) {
      const SketchShape shape{.slots = 128, .bits = bits, .bands = 128 / rows, .rows = rows};
      const SketchComparer comparer(shape, {});
      std::vector<std::uint64_t> a(shape.sketch_words());
      for (std::uint64_t& word : a) word = random();
      std::vector<std::uint64_t> b = a;
      EXPECT_EQ(comparer.bands_hit(a.data(), b.data()), shape.bands);
      for (int changes = 0; changes < 40; ++changes) {
        const std::uint64_t bit = random() % (b.size() * 64);
        b[bit / 64] ^= std::uint64_t{1} << bit % 64;
        ASSERT_EQ(comparer.bands_hit(a.data(), b.data()), bands_hit(shape, a.data(), b.data()))
            << bits << " bits, " << rows << " rows";
      }
    }
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
