// The engine `match`, beside counting the keywords of every document.
#include "pipeline/search/match_engine.h"

#include <gmock/gmock.h>

#include "pipeline/rule/binomial.h"
#include "tests/unit/pipeline/search/search_fixture.h"

namespace neardup {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

constexpr std::uint32_t kEnd = 1 << 14;  // no segment is made

// With few documents in a segment, a small state has many segments that are merged, too.
struct Sizes {
  std::uint32_t least = 0;
  std::uint32_t most = 0;
};

class Match : public SimilarAmongMany, public testing::WithParamInterface<Sizes> {
 protected:
  std::unique_ptr<SearchEngine> make_engine(std::uint32_t threads) override {
    return engine(GetParam(), threads);
  }
  std::unique_ptr<SearchEngine> engine(const Sizes& sizes, std::uint32_t threads) {
    const Keywords keywords(rule_.plan.shape(), options_.keywords);
    KeywordIndexOptions options;
    options.keywords = keywords.count();
    options.least_documents = sizes.least;
    options.most_documents = sizes.most;
    index_ = std::make_shared<KeywordIndex>(options, keyword_maker(keywords));
    index_->follow(*store_->sketches());
    index_->maintain(*store_->sketches());
    return make_match_engine(rule_.plan.shape(), options_, index_, {.threads = threads});
  }

  // Count and seq of the documents that the engine must nominate, best first.
  std::vector<std::pair<std::uint32_t, Seq>> wanted(const Sketch& query, Ppm min_similarity) {
    const Keywords keywords(rule_.plan.shape(), options_.keywords);
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
      std::vector<std::uint16_t> a(keywords.count());
      std::vector<std::uint16_t> b(keywords.count());
      keywords.of(query.data(), a.data());
      keywords.of(sketch.data(), b.data());
      std::uint32_t equal = 0;
      for (std::size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i] ? 1 : 0;
      if (equal >= options_.gate() && distance <= limit) found.push_back(counted);
    }
    return found;
  }

  MatchOptions options_{.keywords = 32};
  std::shared_ptr<KeywordIndex> index_;
};

TEST_P(Match, HitsAreTheDocumentsWithCommonKeywords) {
  const SimilarOptions options{.k = 5'000, .min_similarity = 0, .candidates = 5'000};
  const auto found = answers(queries_, options);
  for (std::size_t i = 0; i < queries_.size(); ++i) {
    EXPECT_EQ(hits_of(found[i]), wanted(queries_[i], 0));
    EXPECT_EQ(found[i].searched, documents_[""].size());
    EXPECT_EQ(found[i].engine, "match");
  }
}

TEST_P(Match, DocumentsBeyondTheLimitOfDifferingBitsAreNotCompared) {
  const auto found =
      answers(queries_, {.k = 5'000, .min_similarity = 600'000, .candidates = 5'000});
  const Estimator estimator(rule_.plan, rule_.decision.threshold);
  for (std::size_t i = 0; i < queries_.size(); ++i) {
    auto hits = wanted(queries_[i], 600'000);
    std::erase_if(hits, [&](auto hit) { return estimator.similarity_ppm(hit.first) < 600'000; });
    EXPECT_EQ(hits_of(found[i]), hits);
  }
}

TEST_P(Match, NoDocumentAboveTheProvenSimilarityIsMissing) {
  for (const std::uint32_t keywords : {4u, 32u}) {
    options_.keywords = keywords;
    for (const std::uint32_t candidates : {5u, 30u, 1'500u}) expect_proofs_hold(candidates);
  }
}

// As an index on disk has them, which says how many it has.
TEST_P(Match, MoreKeywordsThanTheSketchHasChangeNoAnswer) {
  const SimilarOptions options{.k = 100, .min_similarity = 0, .candidates = 5'000};
  const auto found = answers(queries_, options);
  options_.keywords = 100;
  const auto more = answers(queries_, options);
  for (std::size_t i = 0; i < queries_.size(); ++i) {
    EXPECT_EQ(hits_of(more[i]), hits_of(found[i]));
    EXPECT_EQ(more[i].complete_above, found[i].complete_above);
  }
}

TEST_P(Match, SegmentsAndThreadsChangeNoAnswer) {
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

TEST_P(Match, EndedDocumentsAndThoseOfOtherNamespacesTakeNoRoom) {
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

TEST_P(Match, TheDocumentItselfIsNoHit) {
  const Sketch sketch = random_sketch();
  const Seq own = add(sketch);
  const Seq copy = add(sketch);
  EXPECT_THAT(hits_of(answer(sketch, {.min_similarity = 900'000}, "", own)),
              ElementsAre(std::pair(kValues, copy)));
}

TEST(MatchOptionsTest, TheGateRisesWithTheKeywords) {
  EXPECT_EQ(MatchOptions{.keywords = 32}.gate(), 1);
  EXPECT_EQ(MatchOptions{.keywords = 64}.gate(), 2);
}

INSTANTIATE_TEST_SUITE_P(Segments, Match,
                         testing::Values(Sizes{kEnd, kEnd}, Sizes{200, 200}, Sizes{150, 700},
                                         Sizes{1'000, 4'000}),
                         [](const auto& sizes) {
                           return std::to_string(sizes.param.least) + "To" +
                                  std::to_string(sizes.param.most);
                         });

}  // namespace
}  // namespace neardup
