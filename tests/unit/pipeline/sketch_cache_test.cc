#include "pipeline/sketch_cache.h"

#include <gtest/gtest.h>

namespace neardup {
namespace {

constexpr std::size_t kWords = 2;
constexpr std::size_t kBlock = SketchCache::kBlock;

// With one block: seqs that differ by a multiple of kBlock share a place.
class SketchCacheTest : public testing::Test {
 protected:
  void put(Seq seq) {
    const std::uint64_t sketch[kWords] = {seq, seq + 1};
    cache_.put(seq, sketch);
  }
  // Is it there, and its own?
  bool holds(Seq seq) {
    const std::uint64_t* sketch = cache_.find(seq);
    return sketch != nullptr && sketch[0] == seq && sketch[1] == seq + 1;
  }

  SketchCache cache_{kWords, 0};
};

TEST_F(SketchCacheTest, HoldsWhatWasPut) {
  EXPECT_EQ(cache_.find(5), nullptr);
  for (Seq seq = 1; seq <= 1000; ++seq) put(seq);
  for (Seq seq = 1; seq <= 1000; ++seq) ASSERT_TRUE(holds(seq)) << seq;
  EXPECT_EQ(cache_.find(1001), nullptr);
}

TEST_F(SketchCacheTest, ANewOneTakesThePlaceOfOneThatNobodyAskedFor) {
  put(5);
  put(5 + kBlock);
  EXPECT_EQ(cache_.find(5), nullptr);
  EXPECT_TRUE(holds(5 + kBlock));
}

TEST_F(SketchCacheTest, OneThatWasAskedForStaysOnceMore) {
  put(5);
  EXPECT_TRUE(holds(5));
  put(5 + kBlock);
  EXPECT_EQ(cache_.find(5 + kBlock), nullptr);
  EXPECT_TRUE(holds(5));  // and is asked for again
  put(5 + 2 * kBlock);
  put(5 + 3 * kBlock);
  EXPECT_EQ(cache_.find(5), nullptr);
  EXPECT_TRUE(holds(5 + 3 * kBlock));
}

TEST_F(SketchCacheTest, HasAsManyPlacesAsItsBytesHold) {
  SketchCache larger(kWords, 2 * kBlock * (kWords + 1) * 8);
  const std::uint64_t sketch[kWords] = {};
  for (Seq seq = 1; seq <= 4 * kBlock; ++seq) larger.put(seq, sketch);
  Seq held = 0;
  for (Seq seq = 1; seq <= 4 * kBlock; ++seq) held += larger.find(seq) != nullptr ? 1 : 0;
  EXPECT_EQ(held, 2 * kBlock);
}

}  // namespace
}  // namespace neardup
