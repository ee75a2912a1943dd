#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "pipeline/base/utf8.h"
#include "pipeline/items/edit_distance.h"
#include "pipeline/items/item_search.h"

namespace neardup::TEST_FILE {
namespace {

Schema schema_of(std::uint32_t gram) {
  Schema schema;
  schema.fields.push_back({.name = "name", .kind = FieldKind::kString, .gram = gram});
  return schema;
}

Item item_of(std::string text) {
  Item item;
  item.values.resize(1);
  item.values[0] = {.given = true, .text = std::move(text)};
  return item;
}

ItemSearch search_over(const std::vector<std::string>& texts, std::uint32_t gram) {
  ItemSearch search(schema_of(gram));
  for (const std::string& text : texts) search.add(item_of(text));
  search.finish(2);
  return search;
}

using Hits = std::vector<std::pair<double, std::uint32_t>>;

Hits by_brute_force(const std::vector<std::string>& texts, const std::string& query,
                    const ItemSearchOptions& options) {
  EditPattern pattern(query);
  Hits hits;
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    const auto size = static_cast<std::uint32_t>(count_code_points(texts[i]));
    const std::uint32_t distance = pattern.distance(texts[i], size, 100'000);
    if (distance <= options.max_distance) hits.emplace_back(distance, i);
  }
  std::ranges::sort(hits);
  if (hits.size() > options.k) hits.resize(options.k);
  return hits;
}

Hits hits_of(const ItemAnswer& answer) {
  Hits hits;
  for (const ItemHit& hit : answer.hits) hits.emplace_back(hit.distances.at(0).value(), hit.item);
  return hits;
}

// Words of few letters, so that many strings share n-grams and distances.
std::string some_text(std::mt19937_64& random, std::size_t most) {
  static constexpr std::string_view kPieces[] = {"a", "b", "an", "na", "ana", " ", "ä", "中文"};
  std::string text;
  for (std::size_t i = random() % most; i-- > 0;) text += kPieces[random() % std::size(kPieces)];
  return text;
}

TEST(NearestStringsTest, AreThoseOfBruteForce) {
  std::mt19937_64 random(7);
  int cases = 0;
  for (int round = 0; cases < 10'000; ++round) {
    std::vector<std::string> texts;
    for (std::size_t i = 1 + random() % 200; i-- > 0;) texts.push_back(some_text(random, 30));
    const ItemSearch search = search_over(texts, 1 + static_cast<std::uint32_t>(round % 4));
    std::vector<Item> queries;
    for (int i = 0; i < 40; ++i) queries.push_back(item_of(some_text(random, 40)));
    ItemSearchOptions options{.k = 1 + static_cast<std::uint32_t>(random() % 12),
                              .candidates = 1 + static_cast<std::uint32_t>(random() % 40),
                              .threads = 2};
    if (round % 3 == 0) options.max_distance = static_cast<double>(random() % 10);
    const auto answers = search.search(queries, options);
    for (std::size_t i = 0; i < queries.size(); ++i, ++cases) {
      const std::string& text = queries[i].values[0].text;
      ASSERT_EQ(hits_of(answers[i]), by_brute_force(texts, text, options)) << text;
      ASSERT_TRUE(answers[i].certain);
    }
  }
}

TEST(NearestStringsTest, CandidatesThatAreSaidToBeCertainAre) {
  std::mt19937_64 random(8);
  int certain = 0;
  int wrong = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> texts;
    for (int i = 0; i < 100; ++i) texts.push_back(some_text(random, 30));
    const ItemSearch search = search_over(texts, 3);
    const ItemSearchOptions options{.k = 1, .candidates = 2, .exact = false};
    std::vector<Item> queries;
    for (int i = 0; i < 20; ++i) {
      const std::string& near = texts[random() % texts.size()];
      queries.push_back(item_of(i % 2 == 0 ? near + some_text(random, 3) : some_text(random, 30)));
    }
    const auto answers = search.search(queries, options);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const bool right =
          hits_of(answers[i]) == by_brute_force(texts, queries[i].values[0].text, options);
      certain += answers[i].certain ? 1 : 0;
      wrong += right ? 0 : 1;
      ASSERT_TRUE(right || !answers[i].certain) << queries[i].values[0].text;
    }
  }
  EXPECT_GT(certain, 300);
  EXPECT_GT(wrong, 100);
}

TEST(NearestStringsTest, SegmentsDoNotChangeTheAnswer) {
  std::mt19937_64 random(9);
  std::vector<std::string> texts;
  for (int i = 0; i < 140'000; ++i) texts.push_back(some_text(random, 12));
  const ItemSearch search = search_over(texts, 2);
  std::vector<Item> queries;
  for (int i = 0; i < 20; ++i) queries.push_back(item_of(some_text(random, 14)));
  const ItemSearchOptions options{.k = 5, .threads = 2};
  const auto answers = search.search(queries, options);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    EXPECT_EQ(hits_of(answers[i]), by_brute_force(texts, queries[i].values[0].text, options));
  }
}

TEST(NearestStringsTest, ManyNGramsReachTheEndOfCounters) {
  std::mt19937_64 random(10);
  std::vector<std::string> texts;
  for (int i = 0; i < 60; ++i) {
    texts.emplace_back();
    while (texts.back().size() < 900) texts.back() += static_cast<char>('a' + random() % 26);
    if (i % 2 == 1) texts.back() = texts[i - 1];
    if (i % 2 == 1) texts.back().replace(100, 9, "123456789");
  }
  const ItemSearch search = search_over(texts, 3);
  for (int i = 0; i < 60; i += 7) {
    const ItemSearchOptions options{.k = 3, .candidates = 3};
    const Item query = item_of(texts[i]);
    EXPECT_EQ(hits_of(search.search({&query, 1}, options)[0]),
              by_brute_force(texts, texts[i], options));
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
