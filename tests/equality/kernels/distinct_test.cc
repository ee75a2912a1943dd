// Taking out repetitions on the device: nothing is lost, and little is left.
#include "gpu/cuda/kernels/distinct.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "gpu/cuda/kernels/serial_launcher.h"

namespace neardup::cuda::TEST_FILE {
namespace {

using Elements = std::vector<u64>;

struct Result {
  Elements elements;
  bool as_given;
};

// Of a block, in room of just its size.
Result distinct(const Elements& elements, u32 bins) {
  SerialGroup<kBlock> group(nullptr);
  Elements room(elements.size(), 7);
  u32 kept = 99;
  const ElementList list =
      distinct_elements(group, {elements.data(), elements.size()}, bins, room.data(), &kept);
  return {{list.data, list.data + list.size}, list.data == elements.data()};
}

Elements random_elements(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Elements elements(count);
  for (u64& x : elements) x = random() % hd::kPrime;
  return elements;
}

Elements repeat(const Elements& elements, std::size_t size) {
  Elements repeated;
  while (repeated.size() < size) repeated.push_back(elements[repeated.size() % elements.size()]);
  return repeated;
}

TEST(DistinctElementsOnDevice, a_repeated_element_stays_once) {
  const Result result = distinct(repeat({12345}, 100'000), 256);
  EXPECT_EQ(result.elements, Elements{12345});
}

TEST(DistinctElementsOnDevice, none_is_lost_and_few_are_kept_twice) {
  for (const std::size_t different : {1, 2, 40, 200, 700}) {
    const Elements elements = random_elements(different, different);
    const Result result = distinct(repeat(elements, 100'000), 256);
    EXPECT_EQ(std::set<u64>(result.elements.begin(), result.elements.end()),
              std::set<u64>(elements.begin(), elements.end()));
    EXPECT_LT(result.elements.size(), different + 100'000 / 20);
  }
}

TEST(DistinctElementsOnDevice, different_elements_are_taken_as_given) {
  for (const std::size_t size : {8, 9, 2048, 30'000}) {
    const Elements elements = random_elements(size, size);
    const Result result = distinct(elements, 1 + static_cast<u32>(size) / 10'000);
    EXPECT_TRUE(result.as_given || result.elements.size() == size);
    EXPECT_EQ(std::set<u64>(result.elements.begin(), result.elements.end()),
              std::set<u64>(elements.begin(), elements.end()));
  }
}

TEST(DistinctElementsOnDevice, the_largest_element_is_none_of_the_empty_places) {
  const Result result = distinct(repeat({hd::kPrime - 1, 0}, 5000), 16);
  EXPECT_EQ(std::set<u64>(result.elements.begin(), result.elements.end()),
            (std::set<u64>{0, hd::kPrime - 1}));
}

}  // namespace
}  // namespace neardup::cuda::TEST_FILE
