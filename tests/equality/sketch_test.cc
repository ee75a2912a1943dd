// Elements → sketch rows: every SIMD level equals the portable one, and the plain computation, for
// every family at awkward sizes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

#include "gpu/cpu/sketcher.h"
#include "gpu/options.h"
#include "tests/equality/direct.h"
#include "tests/equality/levels.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAreArray;

constexpr std::uint32_t kSlots[] = {1, 16, 63, 64, 65, 100, 256, 511, 512, 513, 1000};
constexpr std::size_t kCounts[] = {1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 255, 256, 257, 5000};
constexpr std::size_t kDirectWork = 100'000;  // slots × elements of a plain computation

struct Family {
  const char* name;
  SketchFamily family;
  MinhashHash hash;
  std::uint64_t universe;
};

constexpr Family kFamilies[] = {
    {"fast_similarity", SketchFamily::kFastSimilarity, MinhashHash::k2u, 0},
    {"2u", SketchFamily::kMinhash, MinhashHash::k2u, 0},
    {"2u_in_universe", SketchFamily::kMinhash, MinhashHash::k2u, 1'000'003},
    {"4u", SketchFamily::kMinhash, MinhashHash::k4u, 0},
    {"4u_in_universe", SketchFamily::kMinhash, MinhashHash::k4u, std::uint64_t{1} << 40},
    {"permutation", SketchFamily::kMinhash, MinhashHash::kPermutation, 2000},
    {"permutation_of_two", SketchFamily::kMinhash, MinhashHash::kPermutation, 2},
    {"ms32", SketchFamily::kMinhash, MinhashHash::kMs32, 0},
    {"ms32_in_universe", SketchFamily::kMinhash, MinhashHash::kMs32, 65'536},
};

std::vector<std::uint64_t> random_elements(std::mt19937_64& random, std::size_t count) {
  std::vector<std::uint64_t> elements(count);
  for (auto& x : elements) x = random() % hd::kPrime;
  elements[count / 2] = elements[0];  // a repeated shingle
  if (count > 2) elements[1] = 0;
  if (count > 3) elements[2] = hd::kPrime - 1;
  return elements;
}

SketchPlan plan_of(const Family& family, std::uint32_t slots, std::uint32_t bits) {
  SketchPlan plan;
  plan.sketch.family = family.family;
  plan.sketch.hash = family.hash;
  plan.sketch.universe = family.universe;
  plan.sketch.size = slots;
  plan.sketch.bits = bits;
  plan.sketch.seed = {slots, 5};
  plan.rows = slots < 7 ? 1 : 7;
  plan.bands = slots / plan.rows;
  return plan;
}

struct Row {
  std::vector<std::uint64_t> sketch, one_bit, buckets;
  std::uint32_t distinct = 0;
  bool operator==(const Row&) const = default;
};

Row sketch(Sketcher& sketcher, const SketchShape& shape, std::span<const std::uint64_t> elements) {
  Row row{std::vector<std::uint64_t>(shape.sketch_words(), 99),
          std::vector<std::uint64_t>(shape.one_bit_words(), 99),
          std::vector<std::uint64_t>(shape.bands), 0};
  sketcher.sketch(elements, 3,
                  {row.sketch.data(), row.one_bit.data(), row.buckets.data(), &row.distinct});
  return row;
}

class Sketches : public testing::TestWithParam<std::tuple<SimdLevel, Family>> {
 protected:
  SimdLevel level() const { return std::get<0>(GetParam()); }
  const Family& family() const { return std::get<1>(GetParam()); }
};

std::string case_name(const testing::TestParamInfo<std::tuple<SimdLevel, Family>>& test) {
  return std::string(name(std::get<0>(test.param))) + "_" + std::get<1>(test.param).name;
}

INSTANTIATE_TEST_SUITE_P(LevelsAndFamilies, Sketches,
                         testing::Combine(testing::ValuesIn(levels()),
                                          testing::ValuesIn(kFamilies)),
                         case_name);

TEST_P(Sketches, have_the_winning_values_of_the_portable_level_and_of_the_plain_computation) {
  std::mt19937_64 random(1);
  for (std::uint32_t slots : kSlots) {
    const SketchPlan plan = plan_of(family(), slots, 8);
    const auto keys = std::make_shared<const SketchKeys>(make_sketch_keys(plan));
    Sketcher portable(plan, keys, SimdLevel::kPortable);
    Sketcher sketcher(plan, keys, level());
    for (std::size_t count : kCounts) {
      SCOPED_TRACE(testing::Message() << slots << " slots, " << count << " elements");
      const auto elements = random_elements(random, count);
      const auto winners = sketcher.winners(elements);
      ASSERT_THAT(winners, ElementsAreArray(portable.winners(elements)));
      EXPECT_EQ(sketcher.evaluations(), portable.evaluations());
      if (slots * count > kDirectWork) continue;
      ASSERT_THAT(winners, ElementsAreArray(direct::winners(plan.sketch, *keys, elements)));
    }
  }
}

TEST_P(Sketches, have_the_rows_of_the_portable_level_for_every_b) {
  std::mt19937_64 random(2);
  for (std::uint32_t slots : kSlots) {
    const auto elements = random_elements(random, 70);
    for (std::uint32_t bits : {1, 2, 4, 8, 16, 32}) {
      const SketchPlan plan = plan_of(family(), slots, bits);
      const auto keys = std::make_shared<const SketchKeys>(make_sketch_keys(plan));
      Sketcher portable(plan, keys, SimdLevel::kPortable);
      Sketcher sketcher(plan, keys, level());
      EXPECT_EQ(sketch(sketcher, plan.shape(), elements), sketch(portable, plan.shape(), elements))
          << slots << " slots, " << bits << " bits";
    }
  }
}

TEST_P(Sketches, store_the_low_bits_of_the_mixed_winning_value) {
  std::mt19937_64 random(3);
  const auto elements = random_elements(random, 65);
  for (std::uint32_t bits : {1, 2, 4, 8, 16, 32}) {
    const SketchPlan plan = plan_of(family(), 100, bits);
    const auto keys = std::make_shared<const SketchKeys>(make_sketch_keys(plan));
    Sketcher sketcher(plan, keys, level());
    const auto winners = direct::winners(plan.sketch, *keys, elements);
    const Row row = sketch(sketcher, plan.shape(), elements);
    for (std::uint32_t slot = 0; slot < 100; ++slot) {
      const bool as_is = family().hash == MinhashHash::kPermutation;
      const std::uint64_t value = as_is ? winners[slot] : hd::mix64(winners[slot]);
      for (std::uint32_t i = 0; i < bits; ++i) {
        const std::uint32_t at = slot * bits + i;
        ASSERT_EQ(row.sketch[at / 64] >> (at % 64) & 1, value >> i & 1) << slot << " bit " << i;
      }
      ASSERT_EQ(row.one_bit[slot / 64] >> (slot % 64) & 1, value & 1) << slot;
    }
    EXPECT_EQ(row.sketch.back() >> ((100 * bits - 1) % 64) >> 1, 0u) << "unused bits are 0";
  }
}

TEST_P(Sketches, do_not_depend_on_order_or_repetition) {
  std::mt19937_64 random(4);
  const SketchPlan plan = plan_of(family(), 64, 8);
  const auto keys = std::make_shared<const SketchKeys>(make_sketch_keys(plan));
  Sketcher sketcher(plan, keys, level());
  auto elements = random_elements(random, 300);
  const Row row = sketch(sketcher, plan.shape(), elements);
  std::shuffle(elements.begin(), elements.end(), random);
  elements.insert(elements.end(), elements.begin(), elements.begin() + 100);
  EXPECT_EQ(sketch(sketcher, plan.shape(), elements), row);
}

TEST_P(Sketches, have_the_winning_values_of_the_set_however_often_its_elements_are_repeated) {
  std::mt19937_64 random(5);
  for (std::uint32_t slots : {64u, 256u, 512u, 1000u}) {
    const SketchPlan plan = plan_of(family(), slots, 8);
    const auto keys = std::make_shared<const SketchKeys>(make_sketch_keys(plan));
    Sketcher sketcher(plan, keys, level());
    for (std::size_t count : {1, 2, 70, 600, 5000}) {
      const auto set = random_elements(random, count);
      const auto found = sketcher.winners(set);
      const std::vector<std::uint64_t> wanted(found.begin(), found.end());
      for (std::size_t times : {2, 3, 300}) {
        SCOPED_TRACE(testing::Message() << slots << " slots, " << count << " × " << times);
        auto elements = set;
        while (elements.size() < std::min<std::size_t>(count * times, 20'000))
          elements.push_back(set[random() % count]);
        std::shuffle(elements.begin(), elements.end(), random);
        ASSERT_THAT(sketcher.winners(elements), ElementsAreArray(wanted));
      }
    }
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
