#include "storage/index/posting_table.h"

#include <gmock/gmock.h>

#include <map>
#include <random>

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Hash40 kLastHash = (Hash40{1} << kHashBits) - 1;

std::vector<std::uint32_t> offsets(const PostingTable& table, Hash40 hash,
                                   std::size_t most = ~std::size_t{0}) {
  std::vector<std::uint32_t> found;
  table.find(hash, [&](std::uint32_t offset) {
    found.push_back(offset);
    return found.size() < most;
  });
  return found;
}

TEST(PostingTableTest, FindsAllOffsetsOfAHashAscendingAndNoOthers) {
  PostingTable table;
  table.insert(500, 1);
  table.insert(501, 2);
  table.insert(500, 3);
  table.insert(500, 9);
  EXPECT_THAT(offsets(table, 500), ElementsAre(1, 3, 9));
  EXPECT_THAT(offsets(table, 500, 2), ElementsAre(1, 3));
  EXPECT_THAT(offsets(table, 501), ElementsAre(2));
  EXPECT_THAT(offsets(table, 499), IsEmpty());
  EXPECT_THAT(offsets(table, 502), IsEmpty());
  EXPECT_EQ(table.size(), 4);
}

TEST(PostingTableTest, TheFirstAndTheLastHashAndOffsetAreLikeOthers) {
  PostingTable table;
  EXPECT_THAT(offsets(table, 0), IsEmpty());
  EXPECT_THAT(offsets(table, kLastHash), IsEmpty());
  table.insert(kLastHash, 0);
  table.insert(0, kMostOffsets - 1);
  table.insert(kLastHash, kMostOffsets - 1);
  EXPECT_THAT(offsets(table, 0), ElementsAre(kMostOffsets - 1));
  EXPECT_THAT(offsets(table, kLastHash), ElementsAre(0, kMostOffsets - 1));
}

// Hashes of few values in their upper bits, many of which have one home, also behind the last.
TEST(PostingTableTest, HoldsWhatAMapHoldsWhereverHashesLie) {
  for (const unsigned shift : {0u, 20u, 28u, 31u}) {
    SCOPED_TRACE(shift);
    std::mt19937_64 random(shift);
    PostingTable table;
    std::map<Hash40, std::vector<std::uint32_t>> model;
    for (std::uint32_t offset = 0; offset < 20'000; ++offset) {
      const Hash40 hash = kLastHash - (random() & (kLastHash >> shift)) % 15'000 * (random() % 3);
      table.insert(hash, offset);
      model[hash].push_back(offset);
    }
    std::size_t postings = 0;
    auto at = model.begin();
    std::vector<std::uint32_t> of_hash;
    table.for_each([&](Hash40 hash, std::uint32_t offset) {
      ++postings;
      ASSERT_EQ(hash, at->first);
      of_hash.push_back(offset);
      if (of_hash.size() < at->second.size()) return;
      ASSERT_EQ(of_hash, at->second);
      of_hash.clear();
      ++at;
    });
    EXPECT_EQ(at, model.end());
    EXPECT_EQ(postings, 20'000);
    EXPECT_EQ(table.size(), 20'000);
    for (const auto& [hash, wanted] : model) {
      ASSERT_EQ(offsets(table, hash), wanted);
      ASSERT_EQ(offsets(table, hash - 1).empty(), !model.contains(hash - 1));
    }
  }
}

TEST(PostingTableTest, GrowsWithoutLosingAny) {
  constexpr std::uint32_t kPostings = 200'000;
  PostingTable table;
  std::mt19937_64 random(1);
  std::vector<Hash40> hashes;
  for (std::uint32_t offset = 0; offset < kPostings; ++offset) {
    hashes.push_back(random() >> 24);
    table.insert(hashes.back(), offset);
  }
  for (std::uint32_t offset = 0; offset < kPostings; ++offset) {
    ASSERT_THAT(offsets(table, hashes[offset]), testing::Contains(offset));
  }
}

TEST(PostingTableTest, ForgetsWhatIsGoneOfALongList) {
  PostingTable table;
  for (const std::uint32_t offset : {1, 2, 3, 4}) table.insert(7, offset);
  table.insert(8, 5);
  const auto odd = [](std::uint32_t offset) { return offset % 2 == 1; };
  table.forget(7, odd);
  table.forget(8, [](std::uint32_t) { return false; });
  table.forget(9, odd);
  EXPECT_THAT(offsets(table, 7), ElementsAre(2, 4));
  EXPECT_THAT(offsets(table, 8), ElementsAre(5));
  EXPECT_EQ(table.size(), 3);
  table.forget(7, [](std::uint32_t) { return true; });
  EXPECT_THAT(offsets(table, 7), IsEmpty());
  EXPECT_EQ(table.size(), 1);
  table.insert(7, 6);
  EXPECT_THAT(offsets(table, 7), ElementsAre(6));
}

TEST(PostingTableTest, MorePostingsFitIntoMoreMemory) {
  EXPECT_LT(PostingTable::most_postings(1 << 20), PostingTable::most_postings(1 << 21));
  EXPECT_LE(PostingTable::most_postings(1 << 20) * sizeof(std::uint64_t), 1 << 20);
}

}  // namespace
}  // namespace neardup::TEST_FILE
