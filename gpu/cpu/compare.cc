#include "gpu/cpu/compare.h"

#include <algorithm>

#include "gpu/cpu/kernels/kernels.h"
#include "gpu/cpu/simd_level.h"
#include "gpu/hd/pack.h"

namespace neardup {
namespace {

constexpr std::uint32_t kBlockWords = 8;  // one cache line of a row

}  // namespace

SketchComparer::SketchComparer(const SketchShape& shape, const CpuOptions& cpu)
    : shape_(shape),
      kernels_(&kernels(resolve_simd(cpu.simd))),
      hamming_(kernels_->hamming(cpu.bit_count)),
      unused_fields_(shape.sketch_words() * 64 / shape.bits - shape.slots) {}

std::uint32_t SketchComparer::equal_bits(const std::uint64_t* a, const std::uint64_t* b) const {
  return shape_.slots - hamming_(a, b, shape_.one_bit_words());
}

std::uint32_t SketchComparer::equal_values(const std::uint64_t* a, const std::uint64_t* b) const {
  return kernels_->equal_fields(a, b, shape_.sketch_words(), shape_.bits) - unused_fields_;
}

bool SketchComparer::reaches(const std::uint64_t* a, const std::uint64_t* b,
                             std::uint32_t need) const {
  const std::uint32_t words = shape_.sketch_words();
  const std::uint32_t fields = 64 / shape_.bits;
  const std::uint32_t target =
      need + unused_fields_;  // the unused fields come last and are always equal
  std::uint32_t equal = 0;
  for (std::uint32_t at = 0; at < words; at += kBlockWords) {
    const std::uint32_t block = std::min(kBlockWords, words - at);
    equal += kernels_->equal_fields(a + at, b + at, block, shape_.bits);
    const std::uint32_t left = (words - at - block) * fields;
    if (equal + left < target) return false;
    if (equal >= target) return true;
  }
  return equal >= target;
}

bool SketchComparer::band_equal(const std::uint64_t* a, const std::uint64_t* b,
                                std::uint32_t band) const {
  // The values of a band lie side by side.
  const std::uint32_t end = (band + 1) * shape_.rows * shape_.bits;
  for (std::uint32_t at = band * shape_.rows * shape_.bits; at < end; at += 64) {
    const std::uint32_t bits = std::min(end - at, 64U);
    if (hd::bit_range(a, at, bits) != hd::bit_range(b, at, bits)) return false;
  }
  return true;
}

std::uint32_t SketchComparer::bands_hit(const std::uint64_t* a, const std::uint64_t* b) const {
  std::uint32_t hit = 0;
  for (std::uint32_t band = 0; band < shape_.bands; ++band) hit += band_equal(a, b, band) ? 1 : 0;
  return hit;
}

}  // namespace neardup
