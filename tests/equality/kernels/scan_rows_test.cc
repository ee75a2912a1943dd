// The kernels that scan packed rows find what comparing bit by bit finds.
#include <map>
#include <random>

#include "pipeline/model/types.h"
#include "search_memory.h"

namespace neardup::cuda::TEST_FILE {
namespace {

using Found = std::vector<std::pair<u32, u32>>;  // distance and row

struct Case {
  Case(u32 rows, u32 queries, u32 words_each, std::uint64_t seed) : words(words_each) {
    std::mt19937_64 random(seed);
    // Few bits differ, so that many distances are equal.
    const auto bits = [&](u32 count) {
      std::vector<u64> all(std::size_t{count} * words);
      for (u64& word : all) word = random() & random() & random();
      return all;
    };
    row_words = bits(rows);
    query_words = bits(queries);
    constexpr NamespaceTag kTags[] = {0, 1, 2, 0xffff};
    for (u32 i = 0; i < rows; ++i) tags.push_back(kTags[random() % 4]);
    for (u32 i = 0; i < queries; ++i) {
      const u32 limits[] = {0, 1, static_cast<u32>(random() % (words * 30)), words * 64 + 1,
                            ~u32{0}};
      const u32 except = i % 3 == 0 || rows == 0 ? kNoRow : static_cast<u32>(random() % rows);
      const u32 most = 1 + static_cast<u32>(random() % (rows + 1));
      about.push_back({limits[random() % 5], except, kTags[1 + random() % 3], most});
    }
  }

  Found wanted(u32 query) const {
    const ScanQuery& how = about[query];
    Found found;
    for (u32 row = 0; row < tags.size(); ++row) {
      u32 distance = 0;
      for (u32 i = 0; i < words; ++i) {
        distance += hd::count_naive(row_words[row * words + i] ^ query_words[query * words + i]);
      }
      const bool hit = tags[row] == how.tag && row != how.except && distance < how.limit;
      if (hit) found.emplace_back(distance, row);
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  u32 words;
  std::vector<u64> row_words;
  std::vector<NamespaceTag> tags;
  std::vector<u64> query_words;
  std::vector<ScanQuery> about;
};

class ScanRowsTest : public SearchKernelsTest {
 protected:
  struct Answer {
    std::vector<Found> found;  // of each query
    std::vector<u32> counts;
  };
  Answer scan(const Case& of, u32 room) const {
    const u32 queries = static_cast<u32>(of.about.size());
    auto rows = memory(of.row_words);
    auto tags = memory(of.tags);
    auto query_words = memory(of.query_words);
    auto about = memory(of.about);
    auto hits = filled<NearHit>(std::size_t{room} * queries, {77, 77});
    auto counts = filled<u32>(queries, 0);
    run_kernels(GetParam(), NearRows{{{rows.get(), static_cast<u32>(of.tags.size()), of.words},
                                      tags.get(),
                                      {query_words.get(), queries, of.words},
                                      about.get()},
                                     {hits.get(), counts.get(), queries, room}});
    Answer answer{{}, counts.read()};
    const std::vector<NearHit>& all = hits.read();
    for (u32 query = 0; query < queries; ++query) {
      Found& found = answer.found.emplace_back();
      for (const NearHit& hit : hits_of(all, answer.counts, query)) {
        found.emplace_back(hit.distance, hit.row);
      }
      std::sort(found.begin(), found.end());
    }
    return answer;
  }

  // The limits of the queries after they were lowered.
  std::vector<u32> limits(const Case& of) const {
    const u32 queries = static_cast<u32>(of.about.size());
    auto rows = memory(of.row_words);
    auto tags = memory(of.tags);
    auto query_words = memory(of.query_words);
    auto about = memory(of.about);
    auto histograms = filled<u32>(std::size_t{queries} * kDistanceBins, 0);
    run_kernels(GetParam(), NearLimits{{{rows.get(), static_cast<u32>(of.tags.size()), of.words},
                                        tags.get(),
                                        {query_words.get(), queries, of.words},
                                        about.get()},
                                       about.get(),
                                       histograms.get()});
    std::vector<u32> found;
    for (const ScanQuery& query : about.read()) found.push_back(query.limit);
    return found;
  }
};
INSTANTIATE_TEST_SUITE_P(Serial, ScanRowsTest, testing::Values(Launcher::kSerial));
INSTANTIATE_TEST_SUITE_P(Device, ScanRowsTest, testing::Values(Launcher::kDevice));

TEST_P(ScanRowsTest, finds_the_rows_below_the_limit) {
  for (const u32 words : {1, 2, 3, 4, 7, 8, 16, 17, 200}) {
    for (const u32 rows : {0, 1, 255, 256, 257, 700}) {
      for (const u32 queries : {1, 19, 20, 21, 32, 33, 70}) {
        SCOPED_TRACE(testing::Message() << words << " words, " << rows << " × " << queries);
        if (words * queries > 4000) continue;  // the naive way takes long
        const Case of(rows, queries, words, words * 1'000 + rows + queries);
        const Answer answer = scan(of, rows);
        for (u32 query = 0; query < queries; ++query) {
          const Found wanted = of.wanted(query);
          ASSERT_EQ(answer.found[query], wanted) << "query " << query;
          ASSERT_EQ(answer.counts[query], wanted.size());
        }
      }
    }
  }
}

// As few distances as have enough rows, in whole bins.
TEST_P(ScanRowsTest, limits_are_lowered_to_what_is_wanted) {
  const std::map<u32, u32> widths{{1, 1}, {2, 1},  {4, 1},  {7, 1},
                                  {8, 2}, {16, 4}, {17, 4}, {200, 32}};
  for (const auto& [words, width] : widths) {
    for (const u32 rows : {0, 1, 257, 4095, 4097}) {
      for (const u32 queries : {1, 15, 16, 33}) {
        SCOPED_TRACE(testing::Message() << words << " words, " << rows << " × " << queries);
        if (words * queries * rows > 400'000) continue;  // the naive way takes long
        const Case of(rows, queries, words, words * 1'000 + rows + queries);
        const std::vector<u32> lowered = limits(of);
        for (u32 query = 0; query < queries; ++query) {
          const Found near = of.wanted(query);
          const auto [limit, except, tag, most] = of.about[query];
          u32 wanted = limit;
          if (near.size() >= most) {
            wanted = std::min(limit, (near[most - 1].first / width + 1) * width);
          }
          ASSERT_EQ(lowered[query], wanted) << "query " << query;
        }
      }
    }
  }
}

TEST_P(ScanRowsTest, no_query_finds_nothing) {
  EXPECT_TRUE(scan(Case(300, 0, 4, 1), 10).found.empty());
}

TEST_P(ScanRowsTest, equal_distances_are_all_below_the_next_limit) {
  Case of(600, 2, 4, 5);
  std::fill(of.row_words.begin(), of.row_words.end(), 0);
  std::fill(of.query_words.begin(), of.query_words.end(), 1);
  std::fill(of.tags.begin(), of.tags.end(), NamespaceTag{9});
  of.about = {{4, kNoRow, 9, 1}, {5, kNoRow, 9, 1}};
  const Answer answer = scan(of, 600);
  EXPECT_EQ(answer.counts, (std::vector<u32>{0, 600}));
  EXPECT_EQ(answer.found[1], of.wanted(1));
  EXPECT_EQ(limits(of), (std::vector<u32>{4, 5}));
}

TEST_P(ScanRowsTest, a_list_that_is_too_short_is_known_by_its_count) {
  const Case of(1'000, 40, 8, 12);
  const Answer answer = scan(of, 7);
  for (u32 query = 0; query < 40; ++query) {
    const Found wanted = of.wanted(query);
    const Found& found = answer.found[query];
    EXPECT_EQ(answer.counts[query], wanted.size());
    EXPECT_EQ(found.size(), std::min<std::size_t>(wanted.size(), 7));
    EXPECT_TRUE(std::includes(wanted.begin(), wanted.end(), found.begin(), found.end()));
    EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
  }
}

}  // namespace
}  // namespace neardup::cuda::TEST_FILE
