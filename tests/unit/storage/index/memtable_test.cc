#include "storage/index/memtable.h"

#include <gmock/gmock.h>

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::uint64_t key(std::uint64_t n) { return n << 40; }

Probe band(std::uint16_t m, std::uint64_t n) {
  return {kFirstBandColumn + m, hash_of(Bucket{m, key(n)})};
}
Probe content(std::uint64_t n) {
  return {kContentColumn, hash_of(content_bucket({key(n), 0}, ""))};
}
Probe id(Hash40 hash) { return {kIdColumn, hash}; }

class RecentTest : public testing::Test {
 protected:
  RecentTest() {
    const IndexEntry indexes[] = {{{key(1), key(2)}, {}}, {{key(1), key(3)}, {}}, {}};
    const MemtableEntry entries[] = {{100, 11, content(7).hash, &indexes[0]},
                                     {101, 12},
                                     {103, 11, content(7).hash, &indexes[1]},
                                     {104, 13, content(8).hash, &indexes[2]}};
    memtable_.add(entries);
  }

  std::vector<Seq> find(const Probe& probe) {
    std::vector<Seq> found;
    stepped_over_ = memtable_.find(probe, deleted_, [&](Seq seq) {
      found.push_back(seq);
      return true;
    });
    return found;
  }

  Memtable memtable_;
  SeqSet deleted_;
  std::size_t stepped_over_ = 0;
};

TEST_F(RecentTest, FindsByIdContentAndBand) {
  EXPECT_THAT(find(band(0, 1)), ElementsAre(100, 103));
  EXPECT_THAT(find(band(1, 2)), ElementsAre(100));
  EXPECT_THAT(find(band(1, 1)), IsEmpty());
  EXPECT_THAT(find(band(2, 1)), IsEmpty());
  EXPECT_THAT(find(content(7)), ElementsAre(100, 103));
  EXPECT_THAT(find(content(8)), ElementsAre(104));
  EXPECT_THAT(find(id(11)), ElementsAre(100, 103));
  EXPECT_THAT(find(id(12)), ElementsAre(101));
}

TEST_F(RecentTest, CountsIdsAndPostingsAndKnowsItsSeqs) {
  EXPECT_EQ(memtable_.ids(), 4);
  EXPECT_EQ(memtable_.postings(), 4 + 3 + 4);
  EXPECT_EQ(memtable_.first(), 100);
  EXPECT_EQ(memtable_.end(), 105);
  EXPECT_FALSE(memtable_.empty());
  EXPECT_TRUE(Memtable().empty());
}

TEST_F(RecentTest, TakesSeqsAsFarAsOffsetsReach) {
  const MemtableEntry far[] = {{100 + kMostOffsets - 1, 11}, {100 + kMostOffsets, 11}};
  EXPECT_EQ(memtable_.fitting(far).size(), 1);
  EXPECT_EQ(Memtable().fitting(far).size(), 2);
  EXPECT_TRUE(memtable_.fitting({}).empty());
  memtable_.add(memtable_.fitting(far));
  EXPECT_THAT(find(id(11)), ElementsAre(100, 103, 100 + kMostOffsets - 1));
}

TEST_F(RecentTest, StepsOverWhatIsGoneAndForgetsItWhenTold) {
  deleted_.insert(100);
  EXPECT_THAT(find(band(0, 1)), ElementsAre(103));
  EXPECT_EQ(stepped_over_, 1);
  memtable_.forget(band(0, 1), deleted_);
  EXPECT_THAT(find(band(0, 1)), ElementsAre(103));
  EXPECT_EQ(stepped_over_, 0);
  EXPECT_THAT(find(content(7)), ElementsAre(103));
  EXPECT_EQ(stepped_over_, 1);
}

TEST_F(RecentTest, StopsWhenTheVisitorHasEnough) {
  std::vector<Seq> found;
  memtable_.find(band(0, 1), deleted_, [&](Seq seq) {
    found.push_back(seq);
    return false;
  });
  EXPECT_THAT(found, ElementsAre(100));
}

TEST(SeqSetTest, HoldsWhatWasInsertedAndNotErased) {
  SeqSet set;
  for (const Seq seq : {Seq{0}, Seq{4095}, Seq{4096}, Seq{9'000}, kMaxSeq}) set.insert(seq);
  set.erase(4096);
  set.erase(5'000);
  EXPECT_TRUE(set.contains(0));
  EXPECT_TRUE(set.contains(kMaxSeq));
  EXPECT_FALSE(set.contains(4096));
  EXPECT_FALSE(set.contains(1));
  EXPECT_THAT(set.in_range(0, 9'000), testing::UnorderedElementsAre(0, 4095));
  EXPECT_THAT(set.in_range(4095, 9'001), testing::UnorderedElementsAre(4095, 9'000));
  EXPECT_THAT(set.in_range(1, 4095), IsEmpty());
}

TEST(ColumnsTest, AnIdHashesByNamespaceIdAndKey) {
  const IdKey key{"a", "bc"};
  EXPECT_LT(hash_of(key, 1), Hash40{1} << kHashBits);
  EXPECT_EQ(hash_of(key, 1), hash_of(IdKey{"a", "bc"}, 1));
  EXPECT_NE(hash_of(key, 1), hash_of(key, 2));
  EXPECT_NE(hash_of(key, 1), hash_of(IdKey{"ab", "c"}, 1));
  EXPECT_NE(hash_of(key, 1), hash_of(IdKey{"bc", "a"}, 1));
}

TEST(ColumnsTest, ContentIdsAndBandsHaveColumnsOfTheirOwn) {
  EXPECT_EQ(column_of(content_bucket({}, "")), kContentColumn);
  EXPECT_EQ(column_of({0, 0}), kFirstBandColumn);
  EXPECT_EQ(column_of({15, 0}), kFirstBandColumn + 15);
}

}  // namespace
}  // namespace neardup::TEST_FILE
