#include "pipeline/items/item_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace neardup::TEST_FILE {
namespace {

// Words, a category, a number and a string, with weights.
Schema mixed_schema() {
  Schema schema;
  schema.fields.push_back({.name = "words", .kind = FieldKind::kWords, .weight = 3});
  schema.fields.push_back({.name = "town", .kind = FieldKind::kCategory, .weight = 2});
  schema.fields.push_back(
      {.name = "age", .kind = FieldKind::kNumber, .min = -5, .max = 95, .bucket = 0.5});
  schema.fields.push_back({.name = "name", .kind = FieldKind::kString, .gram = 2});
  return schema;
}

std::string some_text(std::mt19937_64& random, std::size_t size) {
  std::string text;
  while (text.size() < size) text += static_cast<char>('a' + random() % 3);
  return text;
}

Item some_item(std::mt19937_64& random, bool query) {
  Item item;
  item.values.resize(4);
  std::set<std::string> words;
  for (std::size_t i = random() % 6; i > 0; --i) words.insert(some_text(random, 2));
  item.values[0] = {.given = !words.empty(), .words = {words.begin(), words.end()}};
  item.values[1] = {.given = random() % 3 != 0, .words = {some_text(random, 1)}};
  if (!item.values[1].given) item.values[1].words.clear();
  const double from = -5 + static_cast<double>(random() % 200) / 2;
  const double to = query ? std::min(95.0, from + static_cast<double>(random() % 40)) : from;
  item.values[2] = {.given = random() % 4 != 0, .from = from, .to = to};
  item.values[3] = {.given = true, .text = some_text(random, 1 + random() % 10)};
  return item;
}

std::uint32_t common(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(a, [&](const auto& x) { return std::ranges::count(b, x) > 0; }));
}

// Bigrams as multisets.
std::uint32_t common_bigrams(const std::string& a, const std::string& b) {
  std::multiset<std::string> rest;
  for (std::size_t i = 0; i + 2 <= b.size(); ++i) rest.insert(b.substr(i, 2));
  std::uint32_t count = 0;
  for (std::size_t i = 0; i + 2 <= a.size(); ++i) {
    const auto found = rest.find(a.substr(i, 2));
    if (found == rest.end()) continue;
    rest.erase(found);
    ++count;
  }
  return count;
}

std::uint32_t score_of(const Item& query, const Item& item) {
  std::uint32_t score = 3 * common(query.values[0].words, item.values[0].words);
  score += 2 * common(query.values[1].words, item.values[1].words);
  if (query.values[2].given && item.values[2].given) {
    const auto bucket = [](double number) { return std::floor((number + 5) / 0.5); };
    const double at = bucket(item.values[2].from);
    score += bucket(query.values[2].from) <= at && at <= bucket(query.values[2].to) ? 1 : 0;
  }
  return score + common_bigrams(query.values[3].text, item.values[3].text);
}

using Hits = std::vector<std::pair<std::int64_t, std::uint32_t>>;  // −score, item

TEST(ItemSearchTest, FindsWhatBruteForceFinds) {
  std::mt19937_64 random(3);
  int cases = 0;
  for (int round = 0; cases < 10'000; ++round) {
    ItemSearch search(mixed_schema());
    std::vector<Item> items;
    for (std::size_t i = 1 + random() % 300; i > 0; --i) items.push_back(some_item(random, false));
    for (const Item& item : items) search.add(item);
    search.finish(2);
    std::vector<Item> queries;
    for (int i = 0; i < 50; ++i) queries.push_back(some_item(random, true));
    const std::uint32_t k = 1 + static_cast<std::uint32_t>(random() % 20);
    const auto answers = search.search(queries, {.k = k, .threads = 2});
    for (std::size_t i = 0; i < queries.size(); ++i, ++cases) {
      Hits wanted;
      for (std::uint32_t j = 0; j < items.size(); ++j) {
        const std::uint32_t score = score_of(queries[i], items[j]);
        if (score > 0) wanted.emplace_back(-std::int64_t{score}, j);
      }
      std::ranges::sort(wanted);
      if (wanted.size() > k) wanted.resize(k);
      Hits found;
      for (const ItemHit& hit : answers[i].hits)
        found.emplace_back(-std::int64_t{hit.score}, hit.item);
      ASSERT_EQ(found, wanted) << "round " << round;
    }
  }
}

TEST(ItemSearchTest, RefusesQueriesBeyondTheCounters) {
  Schema schema;
  schema.fields.push_back({.name = "words", .kind = FieldKind::kWords, .weight = 128});
  ItemSearch search(schema);
  Item item;
  item.values.resize(1);
  item.values[0] = {.given = true, .words = {"a", "b"}};
  search.add(item);
  search.finish(1);
  EXPECT_TRUE(search.refusal(item).has_value());
  item.values[0].words.pop_back();
  EXPECT_FALSE(search.refusal(item).has_value());
}

TEST(ItemSearchTest, HashFunctionsAreThoseOfEquation9) {
  EXPECT_EQ(least_functions(0.06, 0.06), 238u);
  EXPECT_LT(least_functions(0.2, 0.1), 30u);
}

class VectorsTest : public testing::TestWithParam<VectorFamily> {};

TEST_P(VectorsTest, NearVectorsAreFoundInOrder) {
  constexpr std::uint32_t kDimensions = 16;
  Schema schema;
  schema.fields.push_back(
      {.name = "v", .kind = FieldKind::kVector, .family = GetParam(), .dimensions = kDimensions});
  ItemSearch search(schema);
  std::mt19937_64 random(5);
  std::normal_distribution<float> normal;
  std::vector<Item> items(3000);
  for (Item& item : items) {
    item.values.resize(1);
    item.values[0].given = true;
    for (std::uint32_t i = 0; i < kDimensions; ++i) item.values[0].vector.push_back(normal(random));
    search.add(item);
  }
  search.finish(2);
  std::vector<Item> queries(items.begin(), items.begin() + 200);
  for (Item& query : queries) {
    for (float& x : query.values[0].vector) x += normal(random) / 20;
  }
  const auto answers = search.search(queries, {.k = 3, .threads = 2});
  int right = 0;
  for (std::uint32_t i = 0; i < queries.size(); ++i) {
    ASSERT_EQ(answers[i].hits.size(), 3u);
    EXPECT_FALSE(answers[i].certain);
    right += answers[i].hits[0].item == i ? 1 : 0;
    EXPECT_LE(answers[i].hits[0].distances[0], answers[i].hits[1].distances[0]);
    EXPECT_LE(answers[i].hits[1].distances[0], answers[i].hits[2].distances[0]);
  }
  EXPECT_EQ(right, 200);
}

Item vector_of(std::mt19937_64& random, std::uint32_t dimensions) {
  Item item;
  item.values.resize(1);
  item.values[0].given = true;
  for (std::uint32_t i = 0; i < dimensions; ++i)
    item.values[0].vector.push_back(static_cast<float>(random() % 5));
  return item;
}

double distance_of(VectorFamily family, const Item& a, const Item& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.values[0].vector.size(); ++i) {
    const double gap = std::abs(double{a.values[0].vector[i]} - double{b.values[0].vector[i]});
    sum += family == VectorFamily::kL2 ? gap * gap : gap;
  }
  return family == VectorFamily::kL2 ? std::sqrt(sum) : sum;
}

// With buckets so wide that all items are candidates.
TEST_P(VectorsTest, AllCandidatesAreBruteForce) {
  std::mt19937_64 random(6);
  Schema schema;
  schema.fields.push_back({.name = "v",
                           .kind = FieldKind::kVector,
                           .family = GetParam(),
                           .dimensions = 3,
                           .functions = 20,
                           .width = 1e9});
  for (int round = 0; round < 70; ++round) {
    ItemSearch search(schema);
    std::vector<Item> items(1 + random() % 60);
    for (Item& item : items) search.add(item = vector_of(random, 3));
    search.finish(2);
    std::vector<Item> queries(50);
    for (Item& query : queries) query = vector_of(random, 3);
    const auto k = 1 + static_cast<std::uint32_t>(random() % 8);
    const auto answers = search.search(queries, {.k = k, .threads = 2});
    for (std::size_t i = 0; i < queries.size(); ++i) {
      std::vector<std::pair<double, std::uint32_t>> wanted, found;
      for (std::uint32_t j = 0; j < items.size(); ++j)
        wanted.emplace_back(distance_of(GetParam(), queries[i], items[j]), j);
      std::ranges::sort(wanted);
      if (wanted.size() > k) wanted.resize(k);
      for (const ItemHit& hit : answers[i].hits)
        found.emplace_back(hit.distances[0].value(), hit.item);
      ASSERT_EQ(found, wanted);
      ASSERT_TRUE(answers[i].certain);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, VectorsTest,
                         testing::Values(VectorFamily::kL1, VectorFamily::kL2,
                                         VectorFamily::kLaplacian));

}  // namespace
}  // namespace neardup::TEST_FILE
