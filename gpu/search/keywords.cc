#include "gpu/search/keywords.h"

#include <algorithm>

#include "pipeline/model/keyword_postings.h"

namespace neardup {

Keywords::Keywords(const SketchShape& shape, std::uint32_t wanted)
    : stride_(std::max(shape.bits, kKeywordBits)),
      values_each_(std::max(kKeywordBits / shape.bits, 1u)),
      count_(std::min({wanted, kMostKeywords, shape.slots / values_each_})) {}

}  // namespace neardup
