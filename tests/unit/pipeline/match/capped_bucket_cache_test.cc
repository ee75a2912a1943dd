#include "pipeline/match/capped_bucket_cache.h"

#include <gmock/gmock.h>

#include "tests/unit/pipeline/documents.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kA = "aaaabbbbccccdddd";
constexpr std::string_view kSameFirstBand = "aaaaxxxxyyyyzzzz";
constexpr Bucket kBucket{0, 99};
constexpr std::uint32_t kCap = 3;

std::vector<Seq> oldest(const CappedBucket& entry) {
  std::vector<Seq> seqs;
  for (const SeqWord& word : entry.oldest)
    for_each_seq(word, [&](Seq seq) { seqs.push_back(seq); });
  return seqs;
}

class CappedBucketCacheTest : public testing::Test {
 protected:
  SketchedBatch asked(std::string_view values) {
    return BatchMaker(rule_).document("q", values).take();
  }
  static Query query(const SketchedBatch& batch, std::string_view name_space) {
    Query query;
    query.name_space = name_space;
    query.sketch = batch.rows.sketches.data();
    return query;
  }
  CappedBucket* find(std::string_view values = kA, std::string_view name_space = "") {
    const SketchedBatch batch = asked(values);
    return cache_.find(kBucket, query(batch, name_space));
  }
  bool is_full() {
    const SketchedBatch batch = asked(kA);
    return cache_.is_full(kBucket, query(batch, ""));
  }
  CappedBucket& make(const std::vector<Seq>& live) {
    const SketchedBatch batch = asked(kA);
    CappedBucket& entry = cache_.make(kBucket, query(batch, ""), {}, false);
    for (const Seq seq : live) cache_.add(entry, seq);
    return entry;
  }

  Rule rule_ = small_rule();
  Tombstones tombstones_;
  SketchComparer comparer_{rule_.plan.shape(), {}};
  CappedBucketCache cache_{comparer_, kCap, tombstones_};
};

TEST_F(CappedBucketCacheTest, KnowsTheOldestForAllOfTheBucket) {
  EXPECT_EQ(find(), nullptr);
  make({3, 5});
  EXPECT_THAT(oldest(*find()), ElementsAre(3, 5));
  EXPECT_THAT(oldest(*find(kSameFirstBand)), ElementsAre(3, 5));
  EXPECT_FALSE(is_full());
}

TEST_F(CappedBucketCacheTest, KnowsNothingOfOtherValuesWithTheSameKeyOrOfAnotherNamespace) {
  make({3, 5});
  EXPECT_EQ(find("xaaabbbbccccdddd"), nullptr);
  EXPECT_EQ(find(kA, "news"), nullptr);
}

TEST_F(CappedBucketCacheTest, CountsAsManyAsTheCapAndKnowsTheNext) {
  make({3, 5, 70, 71});
  EXPECT_THAT(oldest(*find()), ElementsAre(3, 5, 70));
  EXPECT_EQ(find()->next, 71u);
  EXPECT_TRUE(is_full());
}

TEST_F(CappedBucketCacheTest, TheNextTakesThePlaceOfOneThatEnds) {
  make({3, 5, 70, 71});
  tombstones_.add({.seq = 5});
  EXPECT_THAT(oldest(*find()), ElementsAre(3, 70, 71));
  EXPECT_FALSE(is_full());
  cache_.add(*find(), 80);
  EXPECT_TRUE(is_full());
  tombstones_.add({.seq = 80});
  EXPECT_THAT(oldest(*find()), ElementsAre(3, 70, 71));
  EXPECT_FALSE(is_full());
  tombstones_.add({.seq = 4});  // in no bucket
  for (const Seq seq : {3, 70, 71}) tombstones_.add({.seq = static_cast<Seq>(seq)});
  EXPECT_THAT(oldest(*find()), IsEmpty());
}

TEST_F(CappedBucketCacheTest, DoesNotCountTheExpired) {
  make({3, 5, 70, 71});
  tombstones_.expire(3);
  EXPECT_THAT(oldest(*find()), ElementsAre(3, 5, 70));
  tombstones_.expire(71);
  EXPECT_THAT(oldest(*find()), ElementsAre(71));
  tombstones_.expire(100);
  EXPECT_THAT(oldest(*find()), IsEmpty());
}

TEST_F(CappedBucketCacheTest, ANewEntryTakesThePlaceOfTheOld) {
  make({3, 5, 70, 71});
  make({5, 6});
  tombstones_.add({.seq = 3});
  tombstones_.add({.seq = 71});
  EXPECT_THAT(oldest(*find()), ElementsAre(5, 6));
  tombstones_.add({.seq = 5});
  EXPECT_THAT(oldest(*find()), ElementsAre(6));
}

TEST_F(CappedBucketCacheTest, ReadsOnWhenTheStoreHasChanged) {
  CappedBucket& entry = make({3});
  cache_.go_on_reading(entry);
  EXPECT_FALSE(entry.more);
  cache_.committed();
  cache_.go_on_reading(entry);
  EXPECT_TRUE(entry.more);
}

}  // namespace
}  // namespace neardup::TEST_FILE
