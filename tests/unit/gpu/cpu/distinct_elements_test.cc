#include "gpu/cpu/kernels/distinct_elements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "gpu/cpu/element_set.h"
#include "gpu/hd/arithmetic.h"

namespace neardup::TEST_FILE {
namespace {

using Elements = std::vector<std::uint64_t>;

ElementSpan span(const Elements& elements) { return {elements.data(), elements.size()}; }
Elements list(ElementSpan span) { return {span.data, span.data + span.size}; }

Elements random_elements(std::mt19937_64& random, std::size_t count, std::size_t distinct) {
  Elements set(distinct);
  for (auto& x : set) x = random() % hd::kPrime;
  Elements elements(count);
  for (auto& x : elements) x = set[random() % distinct];
  return elements;
}

TEST(DistinctElements, has_an_element_once_that_is_repeated) {
  DistinctElements distinct;
  for (std::uint64_t x : {std::uint64_t{0}, std::uint64_t{77}, hd::kPrime - 1}) {
    for (std::size_t count : {1, 2, 100'000}) {
      EXPECT_EQ(list(distinct.of(span(Elements(count, x)), 1000)), Elements{x});
    }
  }
}

TEST(DistinctElements, loses_no_element_and_nearly_all_repetitions) {
  std::mt19937_64 random(1);
  DistinctElements distinct;
  for (std::size_t count : {3, 64, 1000, 50'000}) {
    for (std::size_t different : {1, 2, 63, 1000}) {
      const Elements elements = random_elements(random, count, different);
      const Elements left = list(distinct.of(span(elements), 2000));
      const Elements set = element_set(elements);
      EXPECT_EQ(element_set(left), set);
      EXPECT_LE(left.size(), set.size() + count / 20) << count << " of " << different;
    }
  }
}

TEST(DistinctElements, loses_none_that_all_fall_on_one_place) {
  Elements elements;
  for (std::uint64_t i = 0; i < 300; ++i) elements.push_back(i % 10);
  DistinctElements distinct;
  EXPECT_EQ(element_set(list(distinct.of(span(elements), 300))), element_set(elements));
}

TEST(DistinctElements, gives_the_list_itself_when_too_much_is_left) {
  std::mt19937_64 random(2);
  DistinctElements distinct;
  const Elements elements = random_elements(random, 5000, 5000);
  EXPECT_EQ(distinct.of(span(elements), 1000).data, elements.data());
  EXPECT_EQ(distinct.of(span(elements), 1000).size, elements.size());
}

}  // namespace
}  // namespace neardup::TEST_FILE
