#include "gpu/search/keywords.h"

#include <algorithm>

#include "pipeline/core/keyword_postings.h"

namespace neardup {
namespace {

constexpr std::uint32_t kKeywordBits = 16;

}  // namespace

Keywords::Keywords(const SketchShape& shape, std::uint32_t wanted)
    : stride_(std::max(shape.bits, kKeywordBits)),
      values_each_(std::max(kKeywordBits / shape.bits, 1u)),
      count_(std::min({wanted, kMostKeywords, shape.slots / values_each_})) {}

void Keywords::of(const std::uint64_t* sketch, std::uint16_t* keywords) const {
  for (std::uint32_t i = 0; i < count_; ++i) {
    const std::uint32_t bit = i * stride_;
    keywords[i] = static_cast<std::uint16_t>(sketch[bit / 64] >> (bit % 64));
  }
}

}  // namespace neardup
