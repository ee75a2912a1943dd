#include "gpu/cpu/element_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "gpu/hd/arithmetic.h"

namespace neardup::TEST_FILE {
namespace {

using Elements = std::vector<std::uint64_t>;

Elements plain(const Elements& elements) {
  const std::set<std::uint64_t> set(elements.begin(), elements.end());
  return {set.begin(), set.end()};
}

TEST(ElementSet, is_sorted_and_has_each_element_once) {
  std::mt19937_64 random(1);
  for (std::size_t count : {1, 2, 3, 31, 32, 33, 64, 65, 1000, 20'000}) {
    Elements elements(count);
    for (std::size_t i = 0; i < count; ++i)
      elements[i] = i % 7 == 6 ? elements[i / 2] : random() % hd::kPrime;
    EXPECT_EQ(element_set(elements), plain(elements)) << count;
  }
}

TEST(ElementSet, holds_for_elements_that_are_not_spread_evenly) {
  std::mt19937_64 random(2);
  const Elements shapes[] = {
      Elements(500, 0), Elements(500, hd::kPrime - 1), {hd::kPrime - 1, 0, hd::kPrime - 1, 0}};
  for (const Elements& elements : shapes) EXPECT_EQ(element_set(elements), plain(elements));
  for (std::uint64_t range : {10, 1000, 1'000'000}) {
    Elements elements(5000);
    for (auto& x : elements) x = (hd::kPrime - range) + random() % range;
    EXPECT_EQ(element_set(elements), plain(elements)) << range;
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
