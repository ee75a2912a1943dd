// Comparing two sketches: the packed 1-bit filter and the count of equal b-bit values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/options.h"
#include "pipeline/model/sketched_batch.h"

namespace neardup {

struct Kernels;

class SketchComparer {
 public:
  // Throws Failure(kConfig) when this machine lacks cpu.simd.
  SketchComparer(const SketchShape& shape, const CpuOptions& cpu);

  const SketchShape& shape() const { return shape_; }

  // Slots with equal lowest bits, of two packed 1-bit sketches: never less than `equal_values`.
  std::uint32_t equal_bits(const std::uint64_t* a, const std::uint64_t* b) const;

  // Slots with equal stored values.
  std::uint32_t equal_values(const std::uint64_t* a, const std::uint64_t* b) const;

  // Does the count of equal values reach `need`? Stops as soon as that is settled (early out of
  // Dahlgaard, Knudsen, Thorup 2017, §1: sketches are compared block by block).
  bool reaches(const std::uint64_t* a, const std::uint64_t* b, std::uint32_t need) const;

  // The number of bands whose values are all equal. 0: the pair shares no bucket.
  std::uint32_t bands_hit(const std::uint64_t* a, const std::uint64_t* b) const;
  bool band_equal(const std::uint64_t* a, const std::uint64_t* b, std::uint32_t band) const;

 private:
  SketchShape shape_;
  const Kernels* kernels_;
  std::uint32_t (*hamming_)(const std::uint64_t* a, const std::uint64_t* b, std::size_t words);
  std::uint32_t unused_fields_;
};

}  // namespace neardup
