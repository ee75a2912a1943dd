#include "bench/engines/planted.h"

#include <algorithm>
#include <random>

#include "gpu/cpu/sketcher.h"
#include "gpu/hd/pack.h"

namespace neardup::bench {
namespace {

constexpr std::uint32_t kBits = 8;
constexpr std::size_t kAhead = 16;

}  // namespace

PlantedView::PlantedView(std::uint32_t documents, std::uint32_t values, std::uint32_t queries)
    : documents_(documents), queries_(queries) {
  rule_.plan.sketch.size = values;
  rule_.plan.sketch.bits = kBits;
  rule_.plan.bands = 16;
  rule_.plan.rows = 6;
  words_ = rule_.plan.shape().sketch_words();
  one_bit_words_ = rule_.plan.shape().one_bit_words();
  std::mt19937_64 random(11);
  sketches_.resize((documents_ + 1) * words_);
  for (std::uint64_t& word : sketches_) word = random();
  query_sketches_.resize(std::size_t{queries} * words_);
  for (std::uint64_t& word : query_sketches_) word = random();
  // Places in strata, so that no two are the same.
  const std::size_t neighbours = queries * kPlanted.size();
  for (std::size_t i = 0; i < neighbours; ++i) {
    const Seq begin = documents_ * i / neighbours;
    const Seq end = documents_ * (i + 1) / neighbours;
    places_.push_back(1 + begin + random() % (end - begin));
  }
  std::shuffle(places_.begin(), places_.end(), random);
  for (std::uint32_t i = 0; i < queries; ++i) {
    for (std::size_t j = 0; j < kPlanted.size(); ++j) {
      std::bernoulli_distribution equal(kPlanted[j]);
      std::vector<std::uint64_t> planted(words_);
      std::uint64_t* stranger = &sketches_[neighbour(i, j) * words_];
      for (std::uint32_t slot = 0; slot < values; ++slot) {
        const std::uint64_t* from = equal(random) ? query(i) : stranger;
        hd::put_packed(planted.data(), slot, kBits, hd::packed_value(from, slot, kBits));
      }
      std::copy(planted.begin(), planted.end(), stranger);
    }
  }
  one_bits_.resize((documents_ + 1) * one_bit_words_);
  for (Seq seq = 1; seq <= documents_; ++seq) {
    pack_one_bit(rule_.plan, sketch(seq), &one_bits_[seq * one_bit_words_]);
  }
  query_one_bits_.resize(std::size_t{queries} * one_bit_words_);
  for (std::uint32_t i = 0; i < queries; ++i) {
    pack_one_bit(rule_.plan, query(i), &query_one_bits_[i * one_bit_words_]);
  }
  tags_.assign(documents_ + 1, namespace_tag(""));
  tags_[0] = 0;
}

void PlantedView::visit(Seq from, Seq to,
                        const std::function<bool(const SketchBlock&)>& visit) const {
  constexpr Seq kBlock = 4096;
  to = std::min(to, end());
  for (Seq begin = from; begin < to;) {
    const Seq block_end = std::min(to, (begin / kBlock + 1) * kBlock);
    const SketchBlock block{begin, static_cast<std::uint32_t>(block_end - begin), one_bit_words_,
                            &one_bits_[begin * one_bit_words_], &tags_[begin]};
    if (!visit(block)) return;
    begin = block_end;
  }
}

void PlantedView::look_up(std::span<const Seq> seqs, const VisitSketch& visit) const {
  for (std::size_t begin = 0; begin < seqs.size(); begin += kAhead) {
    const std::size_t end = std::min(begin + kAhead, seqs.size());
    for (std::size_t i = begin; i < end; ++i) {
      __builtin_prefetch(&tags_[seqs[i]]);
      __builtin_prefetch(&one_bits_[seqs[i] * one_bit_words_]);
    }
    for (std::size_t i = begin; i < end; ++i) {
      visit(i, tags_[seqs[i]], &one_bits_[seqs[i] * one_bit_words_]);
    }
  }
}

void PlantedView::documents(std::span<const Seq> seqs,
                            std::vector<std::optional<DocumentRow>>& rows) const {
  rows.assign(seqs.size(), {});
  for (std::size_t i = 0; i < seqs.size(); ++i) {
    rows[i].emplace();
    rows[i]->seq = seqs[i];
    rows[i]->sketch.assign(sketch(seqs[i]), sketch(seqs[i]) + words_);
  }
}

}  // namespace neardup::bench
