#include "gpu/cpu/sketcher.h"

#include <algorithm>

#include "gpu/cpu/simd_level.h"
#include "gpu/hd/pack.h"

namespace neardup {
namespace {

std::uint32_t count_distinct(std::span<const std::uint64_t> elements) {
  std::vector<std::uint64_t> sorted(elements.begin(), elements.end());
  std::sort(sorted.begin(), sorted.end());
  return static_cast<std::uint32_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
}

}  // namespace

Sketcher::Sketcher(const SketchPlan& plan, std::shared_ptr<const SketchKeys> keys, SimdLevel simd)
    : plan_(plan),
      keys_(std::move(keys)),
      kernels_(&kernels(resolve_simd(simd))),
      winners_(plan.sketch.size) {}

ElementSpan Sketcher::into_universe(std::span<const std::uint64_t> elements) {
  if (plan_.sketch.universe == 0) return {elements.data(), elements.size()};
  folded_.assign(elements.begin(), elements.end());
  for (std::uint64_t& x : folded_) x = hd::into_universe(x, plan_.sketch.universe);
  return {folded_.data(), folded_.size()};
}

std::span<const std::uint64_t> Sketcher::winners(std::span<const std::uint64_t> elements) {
  const std::uint32_t k = plan_.sketch.size;
  const std::uint64_t universe = plan_.sketch.universe;
  if (plan_.sketch.family == SketchFamily::kFastSimilarity) {
    evaluations_ = kernels_->fast_similarity(
        keys_->rounds.data(), k, {elements.data(), elements.size()}, distinct_, winners_.data());
    return winners_;
  }
  const ElementSpan set = into_universe(elements);
  switch (plan_.sketch.hash) {
    case MinhashHash::k2u:
      kernels_->two_universal(keys_->two_universal.data(), k, universe, set, winners_.data());
      break;
    case MinhashHash::k4u:
      kernels_->four_universal(keys_->four_universal.data(), k, universe, set, winners_.data());
      break;
    case MinhashHash::kMs32:
      kernels_->multiply_shift(keys_->multiply_shift.data(), k, set, winners_.data());
      break;
    case MinhashHash::kPermutation:
      kernels_->permutation(keys_->permutations.data(), k, set, winners_.data());
      break;
  }
  return winners_;
}

void Sketcher::sketch(std::span<const std::uint64_t> elements, std::uint64_t namespace_hash,
                      const SketchRow& row) {
  kernels_->pack(winners(elements).data(), plan_.sketch.size, plan_.sketch.bits,
                 is_permutation(plan_.sketch), row.sketch);
  kernels_->one_bit(row.sketch, plan_.shape().sketch_words(), plan_.sketch.bits, row.one_bit);
  kernels_->band_keys(row.sketch, plan_.sketch.bits, plan_.bands, plan_.rows, keys_->bands.data(),
                      namespace_hash, row.buckets);
  if (is_permutation(plan_.sketch)) *row.distinct_shingles = count_distinct(folded_);
}

void pack_sketch(const SketchPlan& plan, std::span<const std::uint64_t> winners,
                 std::uint64_t* sketch) {
  kernels(SimdLevel::kPortable)
      .pack(winners.data(), plan.sketch.size, plan.sketch.bits, is_permutation(plan.sketch),
            sketch);
}

void pack_one_bit(const SketchPlan& plan, const std::uint64_t* sketch, std::uint64_t* one_bit) {
  kernels(SimdLevel::kPortable)
      .one_bit(sketch, plan.shape().sketch_words(), plan.sketch.bits, one_bit);
}

void band_keys(const SketchPlan& plan, std::span<const std::uint64_t> keys_of_bands,
               const std::uint64_t* sketch, std::uint64_t namespace_hash, std::uint64_t* buckets) {
  kernels(SimdLevel::kPortable)
      .band_keys(sketch, plan.sketch.bits, plan.bands, plan.rows, keys_of_bands.data(),
                 namespace_hash, buckets);
}

}  // namespace neardup
