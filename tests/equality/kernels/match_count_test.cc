// The kernel that counts common keywords finds what counting them one by one finds.
#include <random>

#include "search_memory.h"

namespace neardup::cuda {
namespace {

using Keywords = std::vector<std::uint16_t>;  // of each document or query, one after the other

// Keywords of so many documents, of so many different values.
Keywords random_keywords(std::mt19937_64& random, u32 documents, u32 keywords, u32 values) {
  Keywords all(std::size_t{documents} * keywords);
  for (auto& keyword : all) {
    const u64 value = random() % values;
    keyword = static_cast<std::uint16_t>(value % 2 == 0 ? value : kKeywordValues - value);
  }
  return all;
}

std::vector<u32> columns_of(const Keywords& documents, u32 keywords) {
  const u32 count = static_cast<u32>(documents.size() / keywords);
  std::vector<u32> columns;
  for (u32 position = 0; position < keywords; ++position) {
    std::vector<u32> starts(kKeywordValues + 1);
    std::vector<u32> places(count);
    for (u32 i = 0; i < count; ++i) {
      places[i] = i;
      ++starts[documents[i * keywords + position] + 1u];
    }
    for (u32 value = 0; value < kKeywordValues; ++value) starts[value + 1] += starts[value];
    std::stable_sort(places.begin(), places.end(), [&](u32 a, u32 b) {
      return documents[a * keywords + position] < documents[b * keywords + position];
    });
    columns.insert(columns.end(), starts.begin(), starts.end());
    columns.insert(columns.end(), places.begin(), places.end());
  }
  return columns;
}

std::vector<u32> wanted(const Keywords& documents, const std::uint16_t* query, u32 keywords,
                        u32 gate) {
  std::vector<u32> reached;
  for (u32 i = 0; i < documents.size() / keywords; ++i) {
    u32 count = 0;
    for (u32 j = 0; j < keywords; ++j) count += documents[i * keywords + j] == query[j];
    if (count >= gate) reached.push_back(i);
  }
  return reached;
}

class MatchCountTest : public SearchKernelsTest {
 protected:
  void expect_reached(const Keywords& documents, const Keywords& queries, u32 keywords,
                      const std::vector<u32>& gates, u32 groups) const {
    const u32 count = static_cast<u32>(documents.size() / keywords);
    const u32 query_count = static_cast<u32>(queries.size() / keywords);
    auto columns = memory(columns_of(documents, keywords));
    auto of_queries = memory(queries);
    auto counters = filled<u32>(std::size_t{groups} * ByteCounters::words_of(count), 0);
    for (const u32 gate : gates) {
      SCOPED_TRACE(testing::Message() << count << " documents, " << keywords << " keywords, gate "
                                      << gate << ", " << groups << " groups");
      auto reached = filled<u32>(std::size_t{query_count} * count, 77);
      auto counts = filled<u32>(query_count, 0);
      run_kernels(GetParam(), CountMatches{{count, keywords, kKeywordValues, columns.get()},
                                           of_queries.get(),
                                           query_count,
                                           gate,
                                           groups,
                                           counters.get(),
                                           {reached.get(), counts.get(), query_count, count}});
      const std::vector<u32>& all = reached.read();
      const std::vector<u32>& found_counts = counts.read();
      for (u32 query = 0; query < query_count; ++query) {
        auto found = hits_of(all, found_counts, query);
        std::sort(found.begin(), found.end());
        const auto* const own = queries.data() + query * keywords;
        ASSERT_EQ(found, wanted(documents, own, keywords, gate)) << "query " << query;
        ASSERT_EQ(found_counts[query], found.size());
      }
      EXPECT_EQ(counters.read(), std::vector<u32>(counters.read().size(), 0));
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Serial, MatchCountTest, testing::Values(Launcher::kSerial));
INSTANTIATE_TEST_SUITE_P(Device, MatchCountTest, testing::Values(Launcher::kDevice));

TEST_P(MatchCountTest, finds_the_documents_with_enough_keywords) {
  std::mt19937_64 random(4);
  for (const u32 keywords : {1, 2, 32, 33}) {
    for (const u32 documents : {0, 1, 3, 4, 5, 255, 256, 257, 3'000}) {
      for (const u32 values : {2, 30, 60'000}) {  // long lists, short ones, mostly empty ones
        const Keywords stored = random_keywords(random, documents, keywords, values);
        Keywords queries = random_keywords(random, 4, keywords, values);
        if (documents > 0) queries.insert(queries.end(), stored.end() - keywords, stored.end());
        const u32 groups = documents % 3 == 0 ? 1 : documents % 3 == 1 ? 2 : 9;
        expect_reached(stored, queries, keywords, {1, 2, keywords}, groups);
      }
    }
  }
}

TEST_P(MatchCountTest, a_document_can_have_all_of_255_keywords) {
  const Keywords stored(std::size_t{20} * kMostKeywords, 9);
  Keywords queries(std::size_t{2} * kMostKeywords, 9);
  queries.back() = 10;
  expect_reached(stored, queries, kMostKeywords, {1, 254, 255}, 2);
}

TEST_P(MatchCountTest, no_query_counts_nothing) { expect_reached({1, 2, 3}, {}, 1, {1}, 3); }

}  // namespace
}  // namespace neardup::cuda
