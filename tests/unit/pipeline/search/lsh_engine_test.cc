// The engine `lsh`, beside comparing the bands of every document.
#include "pipeline/search/lsh_engine.h"

#include <gmock/gmock.h>

#include "tests/unit/pipeline/search/search_fixture.h"

namespace neardup::TEST_FILE {
namespace {

class Lsh : public SimilarAmongMany {
 protected:
  std::unique_ptr<SearchEngine> make_engine(std::uint32_t) override {
    return make_lsh_engine(rule_.plan, *store_, {});
  }

  bool shares_a_band(const Sketch& a, const Sketch& b) const {
    const SketchShape shape = rule_.plan.shape();
    for (std::uint32_t band = 0; band < shape.bands; ++band) {
      std::uint32_t equal = 0;
      for (std::uint32_t i = 0; i < shape.rows; ++i) {
        const std::uint32_t slot = band * shape.rows + i;
        equal += hd::packed_value(a.data(), slot, 8) == hd::packed_value(b.data(), slot, 8);
      }
      if (equal == shape.rows) return true;
    }
    return false;
  }
};

TEST_F(Lsh, HitsAreTheDocumentsOfTheSameBuckets) {
  for (const std::string name_space : {"", "b"}) {
    const auto found =
        answers(queries_, {.k = 5'000, .min_similarity = 0, .candidates = 5'000}, name_space);
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      auto wanted = all_by_count(queries_[i], name_space);
      std::erase_if(wanted, [&](const auto& counted) {
        return !shares_a_band(queries_[i], documents_[name_space][counted.second]);
      });
      EXPECT_EQ(hits_of(found[i]), wanted);
      EXPECT_EQ(found[i].searched, documents_[name_space].size());
    }
  }
}

TEST_F(Lsh, NoDocumentAboveTheProvenSimilarityIsMissing) {
  for (const std::uint32_t candidates : {5u, 30u, 1'500u}) expect_proofs_hold(candidates);
}

// Of a hot bucket only some documents are read, so nothing is proven.
TEST_F(Lsh, ALongBucketIsCutShort) {
  const Sketch sketch = random_sketch();
  for (int i = 0; i < 20; ++i) add(sketch);
  const auto some = answer(sketch, {.k = 5, .min_similarity = 0, .candidates = 10});
  EXPECT_EQ(some.hits.size(), 5);
  EXPECT_EQ(some.complete_above, kOne);
  const auto all = answer(sketch, {.k = 5, .min_similarity = 0, .candidates = 30});
  EXPECT_LT(all.complete_above, kOne);
}

TEST_F(Lsh, TheDocumentItselfAndDeletedOnesAreNoHits) {
  const Sketch sketch = random_sketch();
  const Seq own = add(sketch);
  const Seq deleted = add(sketch);
  const Seq copy = add(sketch);
  remove(deleted);
  const auto found = answer(sketch, {.min_similarity = 900'000}, "", own);
  EXPECT_EQ(hits_of(found), (std::vector{std::pair{kValues, copy}}));
}

}  // namespace
}  // namespace neardup::TEST_FILE
