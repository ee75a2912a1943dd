#include "gpu/search/shortlist.h"

#include <gmock/gmock.h>

#include <random>

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

std::vector<NearSeq> some_rows(std::size_t count, std::uint32_t distances) {
  std::mt19937_64 random(count);
  std::vector<NearSeq> rows;
  for (Seq seq = 1; seq <= count; ++seq) {
    rows.push_back({static_cast<std::uint32_t>(random() % distances), seq});
  }
  return rows;
}

std::vector<NearSeq> nearest(std::vector<NearSeq> rows, std::size_t most) {
  std::sort(rows.begin(), rows.end());
  rows.resize(std::min(rows.size(), most));
  return rows;
}

TEST(ShortlistTest, KeepsTheNearestInWhateverOrderTheyCome) {
  std::vector<NearSeq> rows = some_rows(5'000, 60);
  std::mt19937_64 random(7);
  for (const std::size_t most : {1, 10, 999, 5'000, 9'000}) {
    std::shuffle(rows.begin(), rows.end(), random);
    Shortlist list(most);
    for (const NearSeq& row : rows) list.offer(row.distance, row.seq);
    EXPECT_THAT(list.finish(), ElementsAreArray(nearest(rows, most))) << most;
    EXPECT_EQ(list.full(), most <= rows.size()) << most;
  }
}

TEST(ShortlistTest, RowsOfLaterSeqsMayBeLeftOutByTheLimit) {
  const std::vector<NearSeq> rows = some_rows(5'000, 60);
  Shortlist list(100);
  std::size_t offered = 0;
  for (const NearSeq& row : rows) {
    if (row.distance >= list.limit()) continue;
    list.offer(row.distance, row.seq);
    ++offered;
  }
  EXPECT_LT(offered, rows.size() / 2);
  EXPECT_THAT(list.finish(), ElementsAreArray(nearest(rows, 100)));
}

TEST(ShortlistTest, CuttingLowersTheLimitToTheLastOfTheNearest) {
  Shortlist list(3, 50);
  for (const std::uint32_t distance : {9, 7}) list.offer(distance, distance);
  list.cut();
  EXPECT_EQ(list.limit(), 50u);
  for (const std::uint32_t distance : {1, 8, 2}) list.offer(distance, distance);
  EXPECT_EQ(list.limit(), 50u);
  list.cut();
  EXPECT_EQ(list.limit(), 7u);
  EXPECT_THAT(list.finish(), ElementsAre(NearSeq{1, 1}, NearSeq{2, 2}, NearSeq{7, 7}));
}

TEST(ShortlistTest, MergesWhatSeveralThreadsFound) {
  const std::vector<NearSeq> rows = some_rows(3'000, 20);
  Shortlist all(50);
  for (std::size_t part = 0; part < 3; ++part) {
    Shortlist list(50);
    for (std::size_t i = part; i < rows.size(); i += 3) list.offer(rows[i].distance, rows[i].seq);
    list.finish();
    all.merge(list);
  }
  EXPECT_THAT(all.finish(), ElementsAreArray(nearest(rows, 50)));
}

TEST(ShortlistTest, TiesGoToTheSmallerSeq) {
  Shortlist list(2);
  for (const Seq seq : {9, 3, 7, 5}) list.offer(4, seq);
  EXPECT_THAT(list.finish(), ElementsAre(NearSeq{4, 3}, NearSeq{4, 5}));
}

}  // namespace
}  // namespace neardup::TEST_FILE
