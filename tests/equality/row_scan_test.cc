// The nearest rows: every SIMD level finds what comparing bit by bit finds.
#include "gpu/search/row_scan.h"

#include <gmock/gmock.h>

#include <random>

#include "gpu/hd/bit_count.h"
#include "tests/equality/levels.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAreArray;

constexpr NamespaceTag kTags[] = {0, 1, 0xffff};

struct Rows {
  Rows(std::uint32_t rows, std::uint32_t words_each, std::uint64_t seed) : each(words_each) {
    std::mt19937_64 random(seed);
    // Few bits differ, so that many distances are equal.
    for (std::uint32_t i = 0; i < rows * each; ++i) words.push_back(random() & random() & random());
    for (std::uint32_t i = 0; i < rows; ++i) tags.push_back(kTags[random() % std::size(kTags)]);
    for (std::uint32_t i = 0; i < each; ++i) query.push_back(random() & random() & random());
  }

  SketchBlock block(std::uint32_t from, std::uint32_t count) const {
    return {first + from, count, each, words.data() + std::size_t{from} * each, tags.data() + from};
  }

  std::vector<NearSeq> naive(NamespaceTag tag, Seq except, std::size_t most) const {
    std::vector<NearSeq> found;
    for (std::uint32_t i = 0; i < tags.size(); ++i) {
      if (tags[i] != tag || first + i == except) continue;
      std::uint32_t distance = 0;
      for (std::uint32_t w = 0; w < each; ++w) {
        distance += hd::count_naive(words[std::size_t{i} * each + w] ^ query[w]);
      }
      found.push_back({distance, first + i});
    }
    std::sort(found.begin(), found.end());
    found.resize(std::min(found.size(), most));
    return found;
  }

  Seq first = 4'000;
  std::uint32_t each;
  std::vector<std::uint64_t> words;
  std::vector<NamespaceTag> tags;
  std::vector<std::uint64_t> query;
};

class RowScanLevels : public testing::TestWithParam<SimdLevel> {};
INSTANTIATE_TEST_SUITE_P(All, RowScanLevels, testing::ValuesIn(levels()), level_name);

TEST_P(RowScanLevels, FindsTheNearestRowsOfTheNamespace) {
  const RowScan scan({.threads = 1, .simd = GetParam(), .bit_count = BitCount::kAuto});
  for (const std::uint32_t words : {1, 2, 3, 4, 5, 8, 16, 17, 256}) {
    for (const std::uint32_t count : {0u, 1u, 7u, 8u, 9u, 31u, 3'001u}) {
      const Rows rows(count, words, words * 10'000 + count);
      std::vector<RowQuery> queries(3, {rows.query.data(), 1, rows.first + 5, Shortlist(40)});
      queries[1].tag = 0xffff;
      queries[2].except = 0;
      const RowQueries row_queries(queries, words);
      scan.add(rows.block(0, count / 3), row_queries);
      scan.add(rows.block(count / 3, count - count / 3), row_queries);
      for (RowQuery& query : queries) {
        EXPECT_THAT(query.nearest.finish(),
                    ElementsAreArray(rows.naive(query.tag, query.except, 40)))
            << words << " words, " << count << " rows";
      }
    }
  }
}

// So many that rows are stored as bit planes; each query is another one.
TEST_P(RowScanLevels, FindsTheNearestRowsOfManyQueries) {
  constexpr std::uint32_t kQueries = 20;
  const RowScan scan({.threads = 1, .simd = GetParam(), .bit_count = BitCount::kAuto});
  for (const std::uint32_t words : {1, 2, 3, 4, 8, 16, 17}) {
    Rows rows(2'100, words, words);
    const Rows others(kQueries, words, words + 1);
    std::vector<std::uint64_t> asked = others.words;
    std::fill_n(asked.begin(), words, 0);
    std::fill_n(asked.begin() + words, words, ~std::uint64_t{0});
    std::fill_n(rows.words.begin() + 7 * words, words, 0);
    std::fill_n(rows.words.begin() + 8 * words, words, ~std::uint64_t{0});
    std::vector<RowQuery> queries;
    for (std::uint32_t i = 0; i < kQueries; ++i) {
      queries.push_back(
          {asked.data() + std::size_t{i} * words, 1, rows.first + i, Shortlist(1 + 7 * i)});
    }
    const RowQueries row_queries(queries, words);
    scan.add(rows.block(0, 600), row_queries);
    scan.add(rows.block(600, 1'500), row_queries);
    for (std::uint32_t i = 0; i < kQueries; ++i) {
      rows.query.assign(queries[i].one_bit, queries[i].one_bit + words);
      EXPECT_THAT(queries[i].nearest.finish(),
                  ElementsAreArray(rows.naive(1, queries[i].except, 1 + 7 * i)))
          << words << " words, query " << i;
    }
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
