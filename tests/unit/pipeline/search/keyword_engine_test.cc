// The engines `match` and `ewh`, beside adding up the weights of the keywords of every document.
#include "pipeline/search/keyword_engine.h"

#include <gmock/gmock.h>

#include "pipeline/rule/binomial.h"
#include "tests/unit/pipeline/search/host_devices.h"
#include "tests/unit/pipeline/search/search_fixture.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

constexpr std::uint32_t kEnd = 1 << 14;  // no segment is made

// With few documents in a segment, a small state has many segments that are merged, too.
struct Sizes {
  std::uint32_t least = 0;
  std::uint32_t most = 0;
  std::size_t on_device = 0;  // segments that a device holds; 0: there is no device
};

enum class Engine { kMatch, kEwh };

// The weights of the keywords of a document, added up bit by bit.
std::uint32_t score_of(const KeywordSearch& search, const Sketch& query, const Sketch& sketch) {
  const std::uint32_t step = search.source == KeywordSource::kSketch ? 1 : 8;  // of the bits
  std::uint32_t score = 0;
  for (std::uint32_t i = 0; i < search.keywords.count(); ++i) {
    std::uint32_t errors = 0;
    for (std::uint32_t bit = i * 16 * step; bit < (i + 1) * 16 * step; bit += step) {
      errors += hd::packed_value(query.data(), bit, 1) != hd::packed_value(sketch.data(), bit, 1);
    }
    if (errors <= search.errors) score += search.heaviest - errors;
  }
  return score;
}

class KeywordEngine : public SimilarAmongMany,
                      public testing::WithParamInterface<std::tuple<Engine, Sizes>> {
 protected:
  KeywordSearch search() const {
    const SketchShape shape = rule_.plan.shape();
    return std::get<Engine>(GetParam()) == Engine::kMatch ? match_search(shape, keywords_)
                                                          : ewh_search(shape);
  }
  std::unique_ptr<SearchEngine> make_engine(std::uint32_t threads) override {
    return engine(std::get<Sizes>(GetParam()), threads);
  }
  std::unique_ptr<SearchEngine> engine(const Sizes& sizes, std::uint32_t threads) {
    KeywordIndexOptions options;
    options.kind = {1, search().source, search().keywords.count()};
    options.least_documents = sizes.least;
    options.most_documents = sizes.most;
    index_ = std::make_shared<KeywordIndex>(options, keyword_maker(rule_.plan, search()));
    index_->follow(*store_->sketches());
    index_->maintain(*store_->sketches());
    const SketchShape shape = rule_.plan.shape();
    auto device = sizes.on_device == 0 ? nullptr
                                       : host_segments(device_, sizes.on_device,
                                                       shape.one_bit_words(), search().probes());
    return make_keyword_engine(shape, search(), index_, {.threads = threads}, std::move(device));
  }

  // Count and seq of the documents that the engine must nominate, best first.
  std::vector<std::pair<std::uint32_t, Seq>> wanted(const Sketch& query, Ppm min_similarity) {
    const std::uint32_t limit =
        kValues - binomial_lower(kValues, (1 + min_similarity / 1e6) / 2, 0.002);
    std::vector<std::pair<std::uint32_t, Seq>> found;
    for (const auto& counted : all_by_count(query)) {
      const Sketch& sketch = documents_[""][counted.second];
      std::uint32_t distance = 0;
      for (std::uint32_t slot = 0; slot < kValues; ++slot) {
        const std::uint64_t bits =
            hd::packed_value(query.data(), slot, 8) ^ hd::packed_value(sketch.data(), slot, 8);
        distance += static_cast<std::uint32_t>(bits & 1);
      }
      const bool found_by_keywords = score_of(search(), query, sketch) >= search().gate;
      if (found_by_keywords && distance <= limit) found.push_back(counted);
    }
    return found;
  }

  std::uint32_t keywords_ = 32;  // of `match`
  std::shared_ptr<KeywordIndex> index_;
  HostDeviceState device_;
};

TEST_P(KeywordEngine, HitsAreTheDocumentsWhoseKeywordsReachTheGate) {
  const SimilarOptions options{.k = 5'000, .min_similarity = 0, .candidates = 5'000};
  const auto found = answers(queries_, options);
  for (std::size_t i = 0; i < queries_.size(); ++i) {
    EXPECT_EQ(hits_of(found[i]), wanted(queries_[i], 0));
    EXPECT_EQ(found[i].searched, documents_[""].size());
    EXPECT_EQ(found[i].engine, search().engine);
  }
}

TEST_P(KeywordEngine, DocumentsBeyondTheLimitOfDifferingBitsAreNotCompared) {
  const auto found =
      answers(queries_, {.k = 5'000, .min_similarity = 600'000, .candidates = 5'000});
  const Estimator estimator(rule_.plan, rule_.decision.threshold);
  for (std::size_t i = 0; i < queries_.size(); ++i) {
    auto hits = wanted(queries_[i], 600'000);
    std::erase_if(hits, [&](auto hit) { return estimator.similarity_ppm(hit.first) < 600'000; });
    EXPECT_EQ(hits_of(found[i]), hits);
  }
}

TEST_P(KeywordEngine, NoDocumentAboveTheProvenSimilarityIsMissing) {
  for (const std::uint32_t keywords : {4u, 32u}) {
    keywords_ = keywords;
    for (const std::uint32_t candidates : {5u, 30u, 1'500u}) expect_proofs_hold(candidates);
  }
}

// As an index on disk has them, which says how many it has.
TEST_P(KeywordEngine, MoreKeywordsThanTheSketchHasChangeNoAnswer) {
  const SimilarOptions options{.k = 100, .min_similarity = 0, .candidates = 5'000};
  const auto found = answers(queries_, options);
  keywords_ = 100;
  const auto more = answers(queries_, options);
  for (std::size_t i = 0; i < queries_.size(); ++i) {
    EXPECT_EQ(hits_of(more[i]), hits_of(found[i]));
    EXPECT_EQ(more[i].complete_above, found[i].complete_above);
  }
}

TEST_P(KeywordEngine, SegmentsAndThreadsChangeNoAnswer) {
  const SimilarOptions options{.k = 10, .min_similarity = 100'000, .candidates = 100};
  const auto of_one_tail = engine({kEnd, kEnd}, 1);
  std::vector<Sketch> many;
  for (int i = 0; i < 10; ++i) many.insert(many.end(), queries_.begin(), queries_.end());
  const auto all = answers(many, options, "", 0, 4);
  for (std::size_t i = 0; i < many.size(); ++i) {
    const auto one = answers_of(*of_one_tail, {many[i]}, options).front();
    EXPECT_EQ(hits_of(all[i]), hits_of(one));
    EXPECT_EQ(all[i].complete_above, one.complete_above);
    EXPECT_EQ(all[i].searched, one.searched);
  }
}

TEST_P(KeywordEngine, EndedDocumentsAndThoseOfOtherNamespacesTakeNoRoom) {
  const Sketch sketch = random_sketch();
  const Seq live = add(relative(sketch, 0.8));
  const auto engine = make_engine(1);  // before the others come and go
  std::vector<Seq> ended;
  for (int i = 0; i < 50; ++i) ended.push_back(add(sketch));
  index_->follow(*store_->sketches());
  for (const Seq seq : ended) remove(seq);
  for (int i = 0; i < 50; ++i) add(sketch, "b");
  const auto found = answers_of(*engine, {sketch}, {.k = 1, .min_similarity = 0, .candidates = 1});
  ASSERT_THAT(found.front().hits, SizeIs(1));
  EXPECT_EQ(found.front().hits[0].seq, live);
  index_->maintain(*store_->sketches());
  EXPECT_EQ(answers_of(*engine, {sketch}, {.k = 1, .min_similarity = 0, .candidates = 1})
                .front()
                .hits[0]
                .seq,
            live);
}

TEST_P(KeywordEngine, TheDocumentItselfIsNoHit) {
  const Sketch sketch = random_sketch();
  const Seq own = add(sketch);
  const Seq copy = add(sketch);
  EXPECT_THAT(hits_of(answer(sketch, {.min_similarity = 900'000}, "", own)),
              ElementsAre(std::pair(kValues, copy)));
}

// The proof is sharp: with as many differing values in the worst places, a document is missed.
TEST_P(KeywordEngine, ADocumentWithTheLeastDifferingValuesCanBeMissed) {
  const KeywordSearch search = this->search();
  const Sketch query = random_sketch();
  const std::uint32_t each = search.source == KeywordSource::kSketch ? 2 : 16;  // in a keyword
  const auto found = [&](std::uint32_t differing) {
    Sketch sketch(query.size());
    for (std::uint32_t slot = 0; slot < kValues; ++slot) {
      // The first errors + 1 values of each keyword differ, keyword after keyword.
      const bool early = slot % each <= search.errors;
      const std::uint32_t order = slot / each * (search.errors + 1) + slot % each;
      const std::uint64_t value = hd::packed_value(query.data(), slot, 8);
      hd::put_packed(sketch.data(), slot, 8, early && order < differing ? value ^ 1 : value);
    }
    return score_of(search, query, sketch) >= search.gate;
  };
  EXPECT_TRUE(found(search.least_differing() - 1));
  EXPECT_FALSE(found(search.least_differing()));
}

class KeywordEngineOnDevice : public KeywordEngine {};

TEST_P(KeywordEngineOnDevice, FailuresAtAnyStepChangeNoAnswer) {
  const SimilarOptions options{.k = 10, .min_similarity = 100'000, .candidates = 100};
  std::vector<std::vector<std::pair<std::uint32_t, Seq>>> wanted;
  for (const SimilarAnswer& answer : answers(queries_, options)) wanted.push_back(hits_of(answer));
  const auto engine = make_engine(1);
  int calls = 0;
  do {
    device_.failures = 0;
    device_.calls_left = calls++;
    const auto found = answers_of(*engine, queries_, options);
    for (std::size_t i = 0; i < queries_.size(); ++i) EXPECT_EQ(hits_of(found[i]), wanted[i]);
  } while (device_.failures > 0);
  EXPECT_GT(calls, 4);  // it is made, holds segments and counts
}

std::string name_of(const testing::TestParamInfo<std::tuple<Engine, Sizes>>& of_test) {
  const auto& [engine, sizes] = of_test.param;
  return (engine == Engine::kMatch ? "Match" : "Ewh") + std::to_string(sizes.least) + "To" +
         std::to_string(sizes.most) +
         (sizes.on_device == 0 ? "" : "Device" + std::to_string(sizes.on_device));
}

INSTANTIATE_TEST_SUITE_P(Segments, KeywordEngine,
                         testing::Combine(testing::Values(Engine::kMatch, Engine::kEwh),
                                          testing::Values(Sizes{kEnd, kEnd}, Sizes{200, 200},
                                                          Sizes{150, 700}, Sizes{1'000, 4'000},
                                                          Sizes{150, 700, 2},
                                                          Sizes{200, 200, 100})),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Segments, KeywordEngineOnDevice,
                         testing::Combine(testing::Values(Engine::kMatch, Engine::kEwh),
                                          testing::Values(Sizes{150, 700, 2})),
                         name_of);

TEST(KeywordSearchTest, TheGateOfMatchRisesWithTheKeywords) {
  constexpr SketchShape kShape{256, 8, 16, 6};
  EXPECT_EQ(match_search(kShape, 32).gate, 1);
  EXPECT_EQ(match_search(kShape, 64).gate, 2);
  EXPECT_EQ(match_search(kShape, 64).least_differing(), 63);
}

// Weights are added up in 8 bits.
TEST(KeywordSearchTest, TheWeightsOfLongSketchesFitIntoACounter) {
  for (const std::uint32_t slots : {16u, 256u, 4096u, 16'384u}) {
    const KeywordSearch search = ewh_search({slots, 2, 16, 6});
    EXPECT_LE(search.keywords.count() * search.heaviest, 255);
    EXPECT_EQ(search.keywords.count(), std::min(slots / 16, 63u));
  }
}

// Nothing is found, and nothing is proven.
TEST(KeywordSearchTest, ASketchMayBeTooShortForAKeyword) {
  EXPECT_EQ(ewh_search({15, 8, 1, 1}).least_differing(), 0);
  EXPECT_EQ(match_search({1, 8, 1, 1}).least_differing(), 0);
}

}  // namespace
}  // namespace neardup::TEST_FILE
