#include "gpu/search/dense_postings.h"

#include <gmock/gmock.h>

#include <limits>

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t kLargest = std::numeric_limits<std::uint32_t>::max();

TEST(DensePostingsTest, ARangeIsTheListsOfNeighbouringKeywords) {
  const std::vector<std::vector<std::uint32_t>> objects{{3, 9}, {kLargest}, {9, 3, 9}, {}, {4}};
  const DensePostings postings(
      5, [&](auto i, auto& to) { to.insert(to.end(), objects[i].begin(), objects[i].end()); }, 1);
  const auto places = [&](std::uint32_t first, std::uint32_t last) {
    return postings.places(0, postings.lists({first, last}));
  };
  EXPECT_EQ(postings.objects(), 5);
  EXPECT_EQ(postings.segments(), 1);
  EXPECT_THAT(places(3, 3), ElementsAre(0, 2));
  EXPECT_THAT(places(9, 9), ElementsAre(0, 2, 2));
  EXPECT_THAT(places(3, 4), ElementsAre(0, 2, 4));
  EXPECT_THAT(places(5, 8), IsEmpty());
  EXPECT_THAT(places(10, kLargest), ElementsAre(1));
  EXPECT_THAT(places(0, kLargest), ElementsAre(0, 2, 4, 0, 2, 2, 1));
  EXPECT_EQ(postings.bytes(), 7 * 2 + 5 * 4);
}

TEST(DensePostingsTest, PlacesStartAnewInEachSegment) {
  for (const std::uint32_t objects : {65'535u, 65'536u, 65'537u, 131'072u}) {
    for (const std::uint32_t threads : {1u, 3u}) {
      const DensePostings postings(
          objects, [&](auto i, auto& to) { to.push_back(i + 1 == objects ? 7 : 8); }, threads);
      ASSERT_EQ(postings.segments(), objects <= 65'536 ? 1 : 2) << objects;
      const std::uint32_t last = postings.segments() - 1;
      EXPECT_THAT(postings.places(last, postings.lists({7, 7})),
                  ElementsAre(static_cast<std::uint16_t>(objects - 1)));
      EXPECT_EQ(postings.places(0, postings.lists({7, 8})).size(), std::min(objects, 65'536u));
    }
  }
}

TEST(DensePostingsTest, ThereMayBeManyKeywords) {
  for (const std::uint32_t count : {8191u, 8192u, 8193u, 30'000u}) {
    const DensePostings postings(
        count,
        [&](auto i, auto& to) {
          to.insert(to.end(), {3 * (count - i), 1'000'000 + i / 2});
        },
        1);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t keyword = 3 * (count - i);
      ASSERT_THAT(postings.places(0, postings.lists({keyword - 2, keyword})),
                  ElementsAre(static_cast<std::uint16_t>(i)));
    }
    EXPECT_EQ(postings.places(0, postings.lists({0, 999'999})).size(), count);
    EXPECT_THAT(postings.places(0, postings.lists({1'000'003, 1'000'004})),
                ElementsAre(6, 7, 8, 9));
  }
}

TEST(DensePostingsTest, MayHaveNoObjectsOrNoKeywords) {
  const DensePostings none(
      0, [](auto, auto&) {}, 2);
  EXPECT_EQ(none.segments(), 0);
  const DensePostings bare(
      3, [](auto, auto&) {}, 2);
  EXPECT_THAT(bare.places(0, bare.lists({0, kLargest})), IsEmpty());
}

}  // namespace
}  // namespace neardup::TEST_FILE
