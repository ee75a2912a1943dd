#include "pipeline/match/group_buckets.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/pipeline/documents.h"

namespace neardup::TEST_FILE {
namespace {

constexpr std::uint32_t kBands = 4;
constexpr std::size_t kMany = 3 * ChunkPart::kRecords + 7;

// Texts of which each shares its first two bands with the one before, and nothing with others.
std::string values(std::size_t i) {
  const auto letter = [](std::size_t n) { return static_cast<char>('A' + n % 50); };
  std::string values(kValues, ' ');
  for (std::size_t at = 0; at < kValues; ++at) {
    const std::size_t of = at < 8 ? i / 2 : i + 1000;
    values[at] = letter(at % 2 == 0 ? of : of / 50);
  }
  return values;
}

class GroupBucketsTest : public testing::TestWithParam<std::size_t> {
 protected:
  SketchedBatch chunk(std::size_t from, std::size_t count) const {
    BatchMaker maker(rule_);
    for (std::size_t i = from; i < from + count; ++i) {
      maker.document("d" + std::to_string(i), values(i));
    }
    return maker.take();
  }
  void locate(const std::vector<const SketchedBatch*>& chunks) {
    parts_.assign(chunks);
    buckets_.locate(parts_);
  }

  Rule rule_ = small_rule();
  Tombstones tombstones_;
  Pending pending_{tombstones_};
  Team team_{GetParam()};
  GroupBuckets buckets_{kBands, pending_, team_};
  ChunkParts parts_;
};

INSTANTIATE_TEST_SUITE_P(Threads, GroupBucketsTest, testing::Values(1, 5));

TEST_P(GroupBucketsTest, DocumentsThatArePutThereAreFoundByTheirBuckets) {
  const SketchedBatch first = chunk(0, kMany);
  const SketchedBatch second = chunk(kMany, kMany);
  locate({&first, &second});
  Seq seq = 0;
  for (std::size_t n = 0; n < 2; ++n) {
    const SketchedBatch& batch = n == 0 ? first : second;
    buckets_.select(parts_.first_of(n));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      DocumentPut put;
      put.row.seq = ++seq;
      put.row.content = batch.content[i];
      put.index.buckets.assign(batch.rows.buckets(i), batch.rows.buckets(i) + kBands);
      pending_.add(std::move(put), buckets_.content(i),
                   [&](std::uint32_t m) { return buckets_.band(i, m); });
    }
  }
  for (std::size_t i = 0; i < 2 * kMany; ++i) {
    const BatchMaker maker(rule_);
    for (std::uint16_t m = 0; m < kBands; ++m) {
      std::vector<Seq> found;
      pending_.visit_bucket({m, maker.bucket(values(i), m)}, [&](const Candidate& candidate) {
        found.push_back(candidate.seq);
        return true;
      });
      const Seq even = i / 2 * 2 + 1;
      std::vector<Seq> wanted = {i + 1};
      if (m < 2) wanted = even < 2 * kMany ? std::vector<Seq>{even, even + 1} : std::vector{even};
      ASSERT_EQ(found, wanted) << i << " in band " << m;
    }
  }
}

TEST_P(GroupBucketsTest, CompanyIsAnEarlierDocumentOfTheBatch) {
  const SketchedBatch first = chunk(0, kMany);  // an odd number
  locate({&first});
  buckets_.select(0);
  for (std::size_t i = 0; i < kMany; ++i) EXPECT_EQ(buckets_.has_company(i), i % 2 == 1) << i;
  const SketchedBatch second = chunk(kMany, 10);
  locate({&second});
  buckets_.select(0);
  EXPECT_TRUE(buckets_.has_company(0)) << "of an earlier look-up";
  EXPECT_FALSE(buckets_.has_company(1));
  pending_.clear();
  locate({&second});
  EXPECT_FALSE(buckets_.has_company(0)) << "that batch is stored";
}

TEST_P(GroupBucketsTest, RecordsWithoutASketchHaveNone) {
  const SketchedBatch batch = BatchMaker(rule_)
                                  .document("a", values(0))
                                  .remove("a")
                                  .rejected("b")
                                  .document("c", "", "too short")
                                  .document("d", values(1))
                                  .take();
  locate({&batch});
  buckets_.select(0);
  EXPECT_FALSE(buckets_.has_company(1));
  EXPECT_FALSE(buckets_.has_company(2));
  EXPECT_FALSE(buckets_.has_company(3));
  EXPECT_TRUE(buckets_.has_company(4));
}

}  // namespace
}  // namespace neardup::TEST_FILE
