// A store in memory, filled with random sketches, and what comparing every document gives.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gpu/cpu/sketcher.h"
#include "gpu/hd/pack.h"
#include "pipeline/rule/index_entry.h"
#include "pipeline/search/scan_engine.h"
#include "pipeline/search/similar.h"
#include "storage/memory_store.h"

namespace neardup {

inline constexpr std::uint32_t kValues = 64;
using Sketch = std::vector<std::uint64_t>;

inline Rule rule_of_test(SketchFamily family = SketchFamily::kFastSimilarity) {
  Rule rule;
  rule.plan.sketch.family = family;
  rule.plan.sketch.size = kValues;
  rule.plan.sketch.bits = 8;
  rule.plan.bands = 16;
  rule.plan.rows = 4;
  return rule;
}

class Similar : public testing::Test {
 protected:
  Sketch random_sketch() {
    Sketch sketch(rule_.plan.shape().sketch_words());
    for (std::uint64_t& word : sketch) word = random_();
    return sketch;
  }
  // Each value is that of `like` with the given chance.
  Sketch relative(const Sketch& like, double chance) {
    Sketch sketch(like.size());
    std::bernoulli_distribution copied(chance);
    for (std::uint32_t slot = 0; slot < kValues; ++slot) {
      const std::uint64_t value = hd::packed_value(like.data(), slot, 8);
      hd::put_packed(sketch.data(), slot, 8, copied(random_) ? value : random_());
    }
    return sketch;
  }

  virtual std::unique_ptr<SearchEngine> make_engine(std::uint32_t threads) {
    return make_scan_engine(rule_.plan.shape(), {.threads = threads});
  }

  Seq add(const Sketch& sketch, const std::string& name_space = "") {
    DocumentPut put;
    put.row.seq = ++seq_;
    put.row.id = "d" + std::to_string(seq_);
    put.row.name_space = name_space;
    put.row.sketch = sketch;
    if (!sketch.empty()) put.index = IndexEntryMaker(rule_.plan)(put.row);
    WriteSet writes;
    writes.ids.emplace_back(IdKey{name_space, put.row.id}, IdRow{.seq = seq_});
    if (!sketch.empty()) documents_[name_space][seq_] = sketch;
    writes.documents.push_back(std::move(put));
    store_->commit(writes);
    return seq_;
  }
  void remove(Seq seq, const std::string& name_space = "") {
    WriteSet writes;
    writes.erase_documents = {seq};
    writes.erase_ids = {{{name_space, "d" + std::to_string(seq)}, {.seq = seq}}};
    store_->commit(writes);
    documents_[name_space].erase(seq);
  }

  std::vector<SimilarAnswer> answers(const std::vector<Sketch>& sketches,
                                     const SimilarOptions& options,
                                     const std::string& name_space = "", Seq except = 0,
                                     std::uint32_t threads = 1) {
    return answers_of(*make_engine(threads), sketches, options, name_space, except);
  }
  std::vector<SimilarAnswer> answers_of(const SearchEngine& engine,
                                        const std::vector<Sketch>& sketches,
                                        const SimilarOptions& options,
                                        const std::string& name_space = "", Seq except = 0) {
    std::vector<Sketch> one_bits;
    std::vector<SimilarQuery> queries;
    for (const Sketch& sketch : sketches) {
      one_bits.emplace_back(rule_.plan.shape().one_bit_words());
      pack_one_bit(rule_.plan, sketch.data(), one_bits.back().data());
    }
    for (std::size_t i = 0; i < sketches.size(); ++i) {
      queries.push_back({{name_space, sketches[i].data(), one_bits[i].data(), 0, {}}, except});
    }
    return SimilarSearch(rule_, engine, {.threads = 4})
        .answer(*store_->sketches(), queries, options);
  }
  SimilarAnswer answer(const Sketch& sketch, const SimilarOptions& options,
                       const std::string& name_space = "", Seq except = 0) {
    return answers({sketch}, options, name_space, except).front();
  }

  // All documents of the namespace, best first, by comparing value by value.
  std::vector<std::pair<std::uint32_t, Seq>> all_by_count(const Sketch& query,
                                                          const std::string& name_space = "") {
    std::vector<std::pair<std::uint32_t, Seq>> found;
    for (const auto& [seq, sketch] : documents_[name_space]) {
      std::uint32_t equal = 0;
      for (std::uint32_t slot = 0; slot < kValues; ++slot) {
        equal +=
            hd::packed_value(query.data(), slot, 8) == hd::packed_value(sketch.data(), slot, 8);
      }
      found.emplace_back(equal, seq);
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    return found;
  }

  static std::vector<std::pair<std::uint32_t, Seq>> hits_of(const SimilarAnswer& answer) {
    std::vector<std::pair<std::uint32_t, Seq>> hits;
    for (const SimilarHit& hit : answer.hits) hits.emplace_back(hit.equal, hit.seq);
    return hits;
  }

  std::mt19937_64 random_{5};
  Rule rule_ = rule_of_test();
  std::unique_ptr<Store> store_ = open_memory_store({}, OpenMode::kReadWrite);
  Seq seq_ = 0;
  std::map<std::string, std::map<Seq, Sketch>> documents_;
};

// The query's relatives of all similarities, strangers, and those of other namespaces.
class SimilarAmongMany : public Similar {
 protected:
  SimilarAmongMany() {
    for (int i = 0; i < 12; ++i) queries_.push_back(random_sketch());
    for (int i = 0; i < 3'000; ++i) {
      const double chance = static_cast<double>(random_() % 11) / 10;
      add(relative(queries_[random_() % queries_.size()], chance), random_() % 3 == 0 ? "b" : "");
    }
  }
  // Every document above `complete_above` is a hit.
  void expect_proofs_hold(std::uint32_t candidates) {
    const Estimator estimator(rule_.plan, rule_.decision.threshold);
    const auto found =
        answers(queries_, {.k = candidates, .min_similarity = 0, .candidates = candidates});
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      std::set<Seq> hits;
      for (const SimilarHit& hit : found[i].hits) hits.insert(hit.seq);
      for (const auto& [equal, seq] : all_by_count(queries_[i])) {
        if (estimator.similarity_ppm(equal) <= found[i].complete_above) break;
        EXPECT_TRUE(hits.contains(seq)) << equal << " values, " << candidates << " candidates";
      }
    }
  }

  std::vector<Sketch> queries_;
};

}  // namespace neardup
