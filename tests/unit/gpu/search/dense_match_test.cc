#include "gpu/search/dense_match.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Objects = std::vector<std::vector<std::uint32_t>>;  // keywords of each
using Query = std::vector<KeywordRange>;

DensePostings postings_of(const Objects& objects, std::uint32_t threads = 1) {
  return {static_cast<std::uint32_t>(objects.size()),
          [&](auto i, auto& to) { to.insert(to.end(), objects[i].begin(), objects[i].end()); },
          threads};
}

// Values of `functions` below `values`; every fifth object is like another.
Objects some_objects(std::uint32_t count, std::uint32_t functions, std::uint32_t values) {
  std::mt19937_64 random(count + functions);
  Objects objects(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i % 5 == 4) objects[i] = objects[random() % i];
    for (std::uint32_t j = 0; j < functions; ++j) {
      const auto keyword = static_cast<std::uint32_t>(j * values + random() % values);
      if (i % 5 != 4) objects[i].push_back(keyword);
      if (i % 5 == 4 && random() % 3 == 0) objects[i][j] = keyword;
    }
  }
  return objects;
}

Query query_of(const std::vector<std::uint32_t>& object, std::uint32_t around = 0) {
  Query query;
  for (const std::uint32_t keyword : object) {
    query.push_back({keyword - std::min(keyword, around), keyword + around});
  }
  return query;
}

std::uint32_t count_of(const Query& query, const std::vector<std::uint32_t>& object) {
  std::uint32_t count = 0;
  for (const KeywordRange& range : query) {
    for (const std::uint32_t keyword : object) {
      count += range.first <= keyword && keyword <= range.last ? 1 : 0;
    }
  }
  return std::min(count, 255u);
}

std::vector<MatchedObject> by_brute_force(const Objects& objects, const Query& query,
                                          std::size_t most) {
  std::vector<MatchedObject> all;
  for (std::uint32_t i = 0; i < objects.size(); ++i) {
    const std::uint32_t count = count_of(query, objects[i]);
    if (count > 0) all.push_back({count, i});
  }
  std::sort(all.begin(), all.end());
  all.resize(std::min(all.size(), most));
  return all;
}

void expect_brute_force(const Objects& objects, const std::vector<Query>& queries,
                        std::uint32_t most) {
  std::vector<std::vector<MatchedObject>> expected;
  for (const Query& query : queries) expected.push_back(by_brute_force(objects, query, most));
  const std::vector<DenseQuery> views(queries.begin(), queries.end());
  for (const std::uint32_t threads : {1u, 2u, 5u}) {
    const DensePostings postings = postings_of(objects, threads);
    EXPECT_EQ(best_matches(postings, views, most, threads), expected)
        << objects.size() << " objects, most " << most << ", threads " << threads;
  }
}

TEST(DenseMatchTest, FindsWhatBruteForceFinds) {
  for (const std::uint32_t count : {1u, 2u, 100u, 3000u}) {
    for (const std::uint32_t values : {1u, 2u, 67u}) {
      const Objects objects = some_objects(count, 24, values);
      std::vector<Query> queries;
      for (std::uint32_t i = 0; i < 6; ++i) queries.push_back(query_of(objects[i * 7 % count]));
      for (const std::uint32_t most : {1u, 10u, 4000u}) expect_brute_force(objects, queries, most);
    }
  }
}

TEST(DenseMatchTest, FindsRangesOfKeywords) {
  const Objects objects = some_objects(2000, 14, 1000);
  std::vector<Query> queries;
  for (const std::uint32_t around : {1u, 50u, 2000u}) {
    queries.push_back(query_of(objects[7], around));
  }
  for (const std::uint32_t most : {1u, 10u, 3000u}) expect_brute_force(objects, queries, most);
}

TEST(DenseMatchTest, SegmentsDoNotChangeTheAnswer) {
  for (const std::uint32_t count : {65'535u, 65'536u, 65'537u, 150'000u}) {
    const Objects objects = some_objects(count, 8, 5);
    const std::vector<Query> queries{query_of(objects[0]), query_of(objects[count - 1])};
    for (const std::uint32_t most : {1u, 10u, 1000u}) expect_brute_force(objects, queries, most);
  }
}

TEST(DenseMatchTest, CountsOfManyFunctionsStayAt255) {
  for (const std::uint32_t functions : {254u, 255u, 256u, 400u}) {
    const Objects objects = some_objects(300, functions, 2);
    expect_brute_force(objects, {query_of(objects[3]), query_of(objects[299])}, 20);
  }
}

TEST(DenseMatchTest, AnyKeywordsWillDo) {
  std::mt19937_64 random(5);
  Objects objects(500);
  for (auto& object : objects) {
    object.resize(random() % 9);
    for (std::uint32_t& keyword : object) {
      keyword = static_cast<std::uint32_t>(random() % 40) * 0x06666666;
    }
  }
  expect_brute_force(objects, {{{0, 0xffffffff}}, query_of({0, 0x06666666, 0x0ccccccc})}, 50);
}

TEST(DenseMatchTest, ThereMayBeNothingToFind) {
  const Query query{{1, 2}};
  const std::vector<DenseQuery> queries{query, {}};
  EXPECT_THAT(best_matches(postings_of({}), queries, 3, 2), ElementsAre(IsEmpty(), IsEmpty()));
  EXPECT_THAT(best_matches(postings_of({{3}, {}}), queries, 3, 2),
              ElementsAre(IsEmpty(), IsEmpty()));
  EXPECT_THAT(best_matches(postings_of({{3}}), {}, 3, 2), IsEmpty());
}

}  // namespace
}  // namespace neardup::TEST_FILE
