#include "pipeline/hot_buckets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "tests/unit/pipeline/documents.h"

namespace neardup {
namespace {

using testing::ElementsAre;
using testing::Optional;

constexpr std::string_view kA = "aaaabbbbccccdddd";
constexpr std::string_view kSameFirstBand = "aaaaxxxxyyyyzzzz";
constexpr Bucket kBucket{0, 99};

Query query(const SketchedBatch& batch, std::string_view name_space) {
  Query query;
  query.name_space = name_space;
  query.sketch = batch.rows.sketches.data();
  return query;
}

// What is known of one bucket, for queries of given values.
class HotBucketsTest : public testing::Test {
 protected:
  // Nothing: not known.
  std::optional<std::vector<Seq>> find(std::string_view values, std::string_view name_space = "") {
    const SketchedBatch batch = BatchMaker(rule_).document("q", values).take();
    hot_.refresh();
    const SeqWords* words = hot_.find(kBucket, query(batch, name_space));
    if (words == nullptr) return std::nullopt;
    std::vector<Seq> seqs;
    for (const SeqWord& word : *words) for_each_seq(word, [&](Seq seq) { seqs.push_back(seq); });
    return seqs;
  }
  void keep(std::string_view values, const std::vector<Seq>& seqs) {
    const SketchedBatch batch = BatchMaker(rule_).document("q", values).take();
    hot_.keep(kBucket, query(batch, ""), rule_.plan.shape().sketch_words(), words_of(seqs));
  }

  Rule rule_ = small_rule();
  Tombstones tombstones_;
  SketchComparer comparer_{rule_.plan.shape(), {}};
  HotBuckets hot_{comparer_, tombstones_};
};

TEST_F(HotBucketsTest, KnowWhatWasKeptForAllOfTheBucket) {
  EXPECT_EQ(find(kA), std::nullopt);
  keep(kA, {3, 5});
  EXPECT_THAT(find(kA), Optional(ElementsAre(3, 5)));
  EXPECT_THAT(find(kSameFirstBand), Optional(ElementsAre(3, 5)));
}

TEST_F(HotBucketsTest, KnowNothingOfOtherValuesWithTheSameKeyOrOfAnotherNamespace) {
  keep(kA, {3, 5});
  EXPECT_EQ(find("xaaabbbbccccdddd"), std::nullopt);
  EXPECT_EQ(find(kA, "news"), std::nullopt);
}

TEST_F(HotBucketsTest, ForgetWhenADocumentEnds) {
  keep(kA, {3, 5});
  ASSERT_NE(find(kA), std::nullopt);
  tombstones_.add({.seq = 3});
  EXPECT_EQ(find(kA), std::nullopt);
}

TEST_F(HotBucketsTest, DoNotCountTheExpired) {
  keep(kA, {3, 5});
  tombstones_.expire(3);
  EXPECT_NE(find(kA), std::nullopt);
  tombstones_.expire(4);
  EXPECT_EQ(find(kA), std::nullopt);
}

}  // namespace
}  // namespace neardup
