// Shingle elements → one sketch row: winning values, stored bits, 1-bit sketch, band keys.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gpu/cpu/kernels/distinct_elements.h"
#include "gpu/cpu/kernels/kernels.h"
#include "gpu/keys.h"

namespace neardup {

// Where one document's row goes; shapes as in SketchRows.
struct SketchRow {
  std::uint64_t* sketch;
  std::uint64_t* one_bit;
  std::uint64_t* buckets;
  std::uint32_t* distinct_shingles;
};

// Not thread-safe: each thread has its own; the keys are shared.
class Sketcher {
 public:
  Sketcher(const SketchPlan& plan, std::shared_ptr<const SketchKeys> keys, SimdLevel simd);

  // Requires: `elements` is not empty.
  void sketch(std::span<const std::uint64_t> elements, std::uint64_t namespace_hash,
              const SketchRow& row);

  // The winning values alone, one a slot; valid until the next call. Tests and statistics look at
  // these.
  std::span<const std::uint64_t> winners(std::span<const std::uint64_t> elements);

  // Hash evaluations of the last call (fast similarity sketch only).
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  ElementSpan into_universe(std::span<const std::uint64_t> elements);

  SketchPlan plan_;
  std::shared_ptr<const SketchKeys> keys_;
  const Kernels* kernels_;
  std::vector<std::uint64_t> winners_;
  std::vector<std::uint64_t> folded_;
  DistinctElements distinct_;
  std::uint64_t evaluations_ = 0;
};

// The single steps of `sketch`. The 1-bit sketch and the buckets follow from the stored b-bit
// values alone, so they can be rebuilt without the text.
void pack_sketch(const SketchPlan& plan, std::span<const std::uint64_t> winners,
                 std::uint64_t* sketch);
void pack_one_bit(const SketchPlan& plan, const std::uint64_t* sketch, std::uint64_t* one_bit);
void band_keys(const SketchPlan& plan, std::span<const std::uint64_t> keys_of_bands,
               const std::uint64_t* sketch, std::uint64_t namespace_hash, std::uint64_t* buckets);

}  // namespace neardup
