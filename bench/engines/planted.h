// Random sketches with planted neighbours of known similarity, as a view of a store.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pipeline/rule/rule.h"
#include "storage/large_pages.h"
#include "storage/sketch_view.h"
#include "storage/store.h"

namespace neardup::bench {

// The similarities of the neighbours of each query.
inline constexpr std::array<double, 10> kPlanted{.95, .9, .85, .8, .75, .7, .6, .5, .4, .3};

// `documents` sketches of 8-bit values with seqs from 1 on. Each of `queries` queries has
// kPlanted.size() of them as neighbours: a value is equal with the chance of the similarity.
class PlantedView : public SketchView {
 public:
  PlantedView(std::uint32_t documents, std::uint32_t values, std::uint32_t queries);

  Seq end() const override { return documents_ + 1; }
  void visit(Seq from, Seq to, const std::function<bool(const SketchBlock&)>& visit) const override;
  void look_up(std::span<const Seq> seqs, const VisitSketch& visit) const override;
  void documents(std::span<const Seq> seqs,
                 std::vector<std::optional<DocumentRow>>& rows) const override;

  std::uint32_t queries() const { return queries_; }
  const std::uint64_t* query(std::uint32_t i) const { return &query_sketches_[i * words_]; }
  const std::uint64_t* query_one_bit(std::uint32_t i) const {
    return &query_one_bits_[i * one_bit_words_];
  }
  // The neighbour of query `i` with similarity kPlanted[j].
  Seq neighbour(std::uint32_t i, std::size_t j) const { return places_[i * kPlanted.size() + j]; }
  const std::uint64_t* sketch(Seq seq) const { return &sketches_[seq * words_]; }
  const std::uint64_t* one_bit(Seq seq) const { return &one_bits_[seq * one_bit_words_]; }
  std::uint32_t one_bit_words() const { return one_bit_words_; }
  const Rule& rule() const { return rule_; }

 private:
  template <class T>
  using Large = std::vector<T, OnLargePages<T>>;

  Rule rule_;
  Seq documents_;
  std::uint32_t queries_;
  std::uint32_t words_;
  std::uint32_t one_bit_words_;
  Large<std::uint64_t> sketches_;  // by seq
  Large<std::uint64_t> one_bits_;
  Large<NamespaceTag> tags_;
  std::vector<std::uint64_t> query_sketches_;
  std::vector<std::uint64_t> query_one_bits_;
  std::vector<Seq> places_;
};

}  // namespace neardup::bench
