#include "pipeline/match/sketch_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace neardup::TEST_FILE {
namespace {

constexpr std::size_t kWords = 256;

// With one block: seqs that differ by a multiple of its places share a place.
class SketchCacheTest : public testing::Test {
 protected:
  void put(Seq seq) {
    const std::vector<std::uint64_t> sketch(kWords, seq);
    cache_.put(seq, sketch.data());
  }
  // Is it there, and its own?
  bool holds(Seq seq) {
    const std::uint64_t* sketch = cache_.find(seq);
    return sketch != nullptr && std::count(sketch, sketch + kWords, seq) == kWords;
  }

  SketchCache cache_{kWords, 2 << 20};
  const Seq places_ = cache_.places();
};

TEST_F(SketchCacheTest, HoldsWhatWasPut) {
  EXPECT_EQ(cache_.find(5), nullptr);
  for (Seq seq = 1; seq <= 1000; ++seq) put(seq);
  for (Seq seq = 1; seq <= 1000; ++seq) ASSERT_TRUE(holds(seq)) << seq;
  EXPECT_EQ(cache_.find(1001), nullptr);
}

TEST_F(SketchCacheTest, ANewOneTakesThePlaceOfOneThatNobodyAskedFor) {
  put(5);
  put(5 + places_);
  EXPECT_EQ(cache_.find(5), nullptr);
  EXPECT_TRUE(holds(5 + places_));
}

TEST_F(SketchCacheTest, OneThatWasAskedForStaysOnceMore) {
  put(5);
  EXPECT_TRUE(holds(5));
  put(5 + places_);
  EXPECT_EQ(cache_.find(5 + places_), nullptr);
  EXPECT_TRUE(holds(5));  // and is asked for again
  put(5 + 2 * places_);
  put(5 + 3 * places_);
  EXPECT_EQ(cache_.find(5), nullptr);
  EXPECT_TRUE(holds(5 + 3 * places_));
}

TEST_F(SketchCacheTest, HasAsManyPlacesAsItsBytesHold) {
  SketchCache larger(kWords, 2 * places_ * (kWords + 1) * 8);
  const std::uint64_t sketch[kWords] = {};
  for (Seq seq = 1; seq <= 4 * places_; ++seq) larger.put(seq, sketch);
  Seq held = 0;
  for (Seq seq = 1; seq <= 4 * places_; ++seq) held += larger.find(seq) != nullptr ? 1 : 0;
  EXPECT_EQ(held, 2 * places_);
}

TEST(SketchCache, HasAPlaceForTheLargestSketch) {
  constexpr std::size_t kMany = 1 << 20;
  SketchCache cache(kMany, 0);
  EXPECT_EQ(cache.places(), 1u);
  const std::vector<std::uint64_t> sketch(kMany, 7);
  cache.put(3, sketch.data());
  ASSERT_NE(cache.find(3), nullptr);
  EXPECT_EQ(cache.find(3)[kMany - 1], 7u);
}

// Of several blocks, and of one that takes only the last documents.
TEST(SketchCacheOfThreads, HoldsWhatSeveralThreadsPut) {
  constexpr std::size_t kDocuments = 5000;
  std::vector<DocumentPut> documents;
  for (Seq seq = 1; seq <= kDocuments; ++seq) {
    DocumentPut& put = documents.emplace_back();
    put.row.seq = 3 * seq;
    if (seq % 7 != 0) put.row.sketch.assign(kWords, seq);
  }
  Team team(5);
  for (const std::uint64_t mebibytes : {64, 2}) {
    SketchCache cache(kWords, mebibytes << 20);
    cache.put_all(documents, team);
    for (Seq seq = 1; seq <= kDocuments; ++seq) {
      const std::uint64_t* sketch = cache.find(3 * seq);
      const bool is_newest = 3 * (kDocuments - seq) < cache.places();
      if (is_newest) {
        ASSERT_EQ(sketch != nullptr, seq % 7 != 0) << seq << " in " << mebibytes;
      }
      if (sketch != nullptr) {
        ASSERT_EQ(sketch[kWords - 1], seq);
      }
    }
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
