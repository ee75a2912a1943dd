// The kernel that counts common keywords finds what counting them one by one finds.
#include <bit>
#include <random>

#include "search_memory.h"

namespace neardup::cuda::TEST_FILE {
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

// The documents of a test. Every fifth has no 1-bit sketch.
struct Documents {
  Documents(std::mt19937_64& random, Keywords of_all, u32 keywords_each)
      : keywords(std::move(of_all)),
        each(keywords_each),
        count(static_cast<u32>(keywords.size() / keywords_each)),
        unknown(count / 32 + 1) {
    for (u32 place = 0; place < count; ++place) {
      one_bits.push_back(random() & random());
      if (place % 5 == 4) unknown[place / 32] |= 1u << place % 32;
    }
  }
  bool is_near(u32 place, u64 query, u32 limit) const {
    return place % 5 == 4 || static_cast<u32>(std::popcount(one_bits[place] ^ query)) <= limit;
  }

  Keywords keywords;
  u32 each;
  u32 count;
  std::vector<u64> one_bits;
  std::vector<u32> unknown;
};

struct Rule {
  u32 errors;
  u32 heaviest;
  u32 gate;
  u32 limit;
};
// Common keywords alone.
Rule equal_keywords(u32 gate) { return {0, 1, gate, 64}; }

std::vector<u32> wanted(const Documents& documents, const std::uint16_t* query, u64 one_bit,
                        const Rule& rule) {
  std::vector<u32> reached;
  for (u32 place = 0; place < documents.count; ++place) {
    u32 sum = 0;
    for (u32 i = 0; i < documents.each; ++i) {
      const u32 own = documents.keywords[place * documents.each + i];
      const auto errors = static_cast<u32>(std::popcount(own ^ query[i]));
      sum += errors > rule.errors ? 0 : rule.heaviest - errors;
    }
    if (sum >= rule.gate && documents.is_near(place, one_bit, rule.limit)) reached.push_back(place);
  }
  return reached;
}

class MatchCountTest : public SearchKernelsTest {
 protected:
  void expect_reached(const Documents& documents, const Keywords& queries,
                      const std::vector<Rule>& rules, u32 groups) {
    const u32 query_count = static_cast<u32>(queries.size() / documents.each);
    std::vector<u64> bits(query_count);
    for (u64& word : bits) word = random_() & random_();
    auto columns = memory(columns_of(documents.keywords, documents.each));
    auto one_bits = memory(documents.one_bits);
    auto unknown = memory(documents.unknown);
    auto of_queries = memory(queries);
    auto query_bits = memory(bits);
    auto counters = filled<u32>(std::size_t{groups} * ByteCounters::words_of(documents.count), 0);
    for (const Rule& rule : rules) {
      SCOPED_TRACE(testing::Message()
                   << documents.count << " documents, " << documents.each << " keywords, "
                   << rule.errors << " errors, gate " << rule.gate << ", " << groups << " groups");
      auto probes = memory(keyword_probes(kKeywordBits, rule.errors, rule.heaviest));
      auto reached = filled<u32>(std::size_t{query_count} * documents.count, 77);
      auto counts = filled<u32>(query_count, 0);
      run_kernels(GetParam(),
                  CountMatches{
                      {documents.count, documents.each, kKeywordValues, columns.get()},
                      {{one_bits.get(), documents.count, 1}, unknown.get()},
                      of_queries.get(),
                      {query_bits.get(), query_count, 1},
                      {probes.get(), static_cast<u32>(probes.read().size()), rule.gate, rule.limit},
                      groups,
                      counters.get(),
                      {reached.get(), counts.get(), query_count, documents.count}});
      const std::vector<u32>& all = reached.read();
      const std::vector<u32>& found_counts = counts.read();
      for (u32 query = 0; query < query_count; ++query) {
        auto found = hits_of(all, found_counts, query);
        std::sort(found.begin(), found.end());
        const auto* const own = queries.data() + query * documents.each;
        ASSERT_EQ(found, wanted(documents, own, bits[query], rule)) << "query " << query;
        ASSERT_EQ(found_counts[query], found.size());
      }
      EXPECT_EQ(counters.read(), std::vector<u32>(counters.read().size(), 0));
    }
  }

  std::mt19937_64 random_{4};
};
INSTANTIATE_TEST_SUITE_P(Serial, MatchCountTest, testing::Values(Launcher::kSerial));
INSTANTIATE_TEST_SUITE_P(Device, MatchCountTest, testing::Values(Launcher::kDevice));

TEST_P(MatchCountTest, finds_the_documents_with_enough_keywords) {
  for (const u32 keywords : {1, 2, 32, 33}) {
    for (const u32 documents : {0, 1, 3, 4, 5, 255, 256, 257, 3'000}) {
      for (const u32 values : {2, 30, 60'000}) {  // long lists, short ones, mostly empty ones
        const Documents stored(random_, random_keywords(random_, documents, keywords, values),
                               keywords);
        Keywords queries = random_keywords(random_, 4, keywords, values);
        if (documents > 0) {
          queries.insert(queries.end(), stored.keywords.end() - keywords, stored.keywords.end());
        }
        const u32 groups = documents % 3 == 0 ? 1 : documents % 3 == 1 ? 2 : 9;
        expect_reached(stored, queries,
                       {equal_keywords(1), equal_keywords(2), equal_keywords(keywords)}, groups);
      }
    }
  }
}

TEST_P(MatchCountTest, keywords_with_errors_weigh_less) {
  for (const u32 keywords : {1, 5, 63}) {
    const Documents stored(random_, random_keywords(random_, 300, keywords, 40), keywords);
    const Keywords queries = random_keywords(random_, 3, keywords, 40);
    expect_reached(stored, queries,
                   {{1, 2, 2, 64}, {1, 4, 5, 64}, {2, 4, 4, 64}, {2, 3, 3 * keywords, 64}}, 2);
  }
}

TEST_P(MatchCountTest, documents_whose_bits_differ_too_much_are_left_out) {
  const Documents stored(random_, random_keywords(random_, 400, 8, 3), 8);
  const Keywords queries = random_keywords(random_, 5, 8, 3);
  for (const u32 limit : {0, 20, 24, 25, 63})
    expect_reached(stored, queries, {{0, 1, 1, limit}}, 3);
}

TEST_P(MatchCountTest, a_document_can_have_all_of_255_keywords) {
  const Documents stored(random_, Keywords(std::size_t{20} * kMostKeywords, 9), kMostKeywords);
  Keywords queries(std::size_t{2} * kMostKeywords, 9);
  queries.back() = 10;
  expect_reached(stored, queries, {equal_keywords(1), equal_keywords(254), equal_keywords(255)}, 2);
}

TEST_P(MatchCountTest, no_query_counts_nothing) {
  expect_reached({random_, {1, 2, 3}, 1}, {}, {equal_keywords(1)}, 3);
}

}  // namespace
}  // namespace neardup::cuda::TEST_FILE
