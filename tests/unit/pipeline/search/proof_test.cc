// What the engines prove, for many random queries: no document above `complete_above` is missing.
// Documents differ from the queries in the lowest bits of values, so that the bounds are attained.
#include <gmock/gmock.h>

#include "pipeline/search/keyword_engine.h"
#include "pipeline/search/lsh_engine.h"
#include "tests/unit/pipeline/search/search_fixture.h"

namespace neardup::TEST_FILE {
namespace {

constexpr std::size_t kQueries = 10'000;
constexpr int kCentres = 15;
constexpr int kDocuments = 400;

enum class Engine { kScan, kMatch, kEwh, kLsh };

class Proof : public Similar, public testing::WithParamInterface<Engine> {
 protected:
  Proof() {
    for (int i = 0; i < kCentres; ++i) centres_.push_back(random_sketch());
    for (int i = 0; i < kDocuments; ++i) add(near_a_centre());
  }

  // A centre with any number of its values changed in the lowest bit.
  Sketch near_a_centre() {
    const Sketch& centre = centres_[random_() % centres_.size()];
    const auto changed = static_cast<std::uint32_t>(random_() % (kValues / 2));
    Sketch sketch = centre;
    for (std::uint32_t i = 0; i < changed; ++i) {
      const std::uint32_t slot = static_cast<std::uint32_t>(random_() % kValues);
      sketch[slot / 8] ^= std::uint64_t{1} << (slot % 8 * 8);
    }
    return sketch;
  }

  std::unique_ptr<SearchEngine> make_engine(std::uint32_t threads) override {
    const SketchShape shape = rule_.plan.shape();
    switch (GetParam()) {
      case Engine::kScan:
        return make_scan_engine(shape, {.threads = threads});
      case Engine::kLsh:
        return make_lsh_engine(rule_.plan, *store_, {});
      case Engine::kMatch:
        return keyword_engine(match_search(shape), threads);
      case Engine::kEwh:
        return keyword_engine(ewh_search(shape), threads);
    }
    return nullptr;
  }
  std::unique_ptr<SearchEngine> keyword_engine(const KeywordSearch& search, std::uint32_t threads) {
    KeywordIndexOptions options;
    options.kind = {1, search.source, search.keywords.count()};
    auto index = std::make_shared<KeywordIndex>(options, keyword_maker(rule_.plan, search));
    return make_keyword_engine(rule_.plan.shape(), search, std::move(index), {.threads = threads});
  }

  // The documents above the proven similarity that are no hits.
  std::uint64_t missing(const Sketch& query, const SimilarAnswer& answer) {
    std::set<Seq> hits;
    for (const SimilarHit& hit : answer.hits) hits.insert(hit.seq);
    std::uint64_t count = 0;
    for (const auto& [seq, sketch] : documents_[""]) {
      const std::uint32_t equal = comparer_.equal_values(query.data(), sketch.data());
      const bool above = estimator_.similarity_ppm(equal) > answer.complete_above;
      count += above && !hits.contains(seq) ? 1 : 0;
    }
    return count;
  }

  std::vector<Sketch> centres_;
  Estimator estimator_{rule_.plan, rule_.decision.threshold};
  SketchComparer comparer_{rule_.plan.shape(), {}};
};

TEST_P(Proof, NoDocumentAboveTheProvenSimilarityIsMissing) {
  std::uint64_t proven = 0;  // answers that prove something
  for (const std::uint32_t candidates : {1u, 7u, 50u, 500u}) {
    std::vector<Sketch> queries;
    for (std::size_t i = 0; i < kQueries / 4; ++i) queries.push_back(near_a_centre());
    const auto found =
        answers(queries, {.k = candidates, .min_similarity = 0, .candidates = candidates});
    for (std::size_t i = 0; i < queries.size(); ++i) {
      ASSERT_EQ(missing(queries[i], found[i]), 0) << "complete above " << found[i].complete_above;
      proven += found[i].complete_above < kOne ? 1 : 0;
    }
  }
  EXPECT_GT(proven, kQueries / 2);
}

std::string name_of(const testing::TestParamInfo<Engine>& of_test) {
  static constexpr const char* kNames[] = {"Scan", "Match", "Ewh", "Lsh"};
  return kNames[static_cast<int>(of_test.param)];
}

INSTANTIATE_TEST_SUITE_P(Engines, Proof,
                         testing::Values(Engine::kScan, Engine::kMatch, Engine::kEwh, Engine::kLsh),
                         name_of);

}  // namespace
}  // namespace neardup::TEST_FILE
