#include "pipeline/search/keyword_search.h"

#include <algorithm>
#include <vector>

#include "gpu/cpu/sketcher.h"
#include "pipeline/model/keyword_postings.h"
#include "storage/store.h"

namespace neardup {
namespace {

constexpr std::uint32_t kErrors = 2;
constexpr std::uint32_t kHeaviest = 4;

// From so many keywords on, strangers have one in common too often.
constexpr std::uint32_t kManyKeywords = 64;

SketchShape one_bit_shape(const SketchShape& shape) {
  return {.slots = shape.slots, .bits = 1, .bands = 0, .rows = 0};
}

}  // namespace

// A differing value changes one keyword, or one bit of it. A bit takes 1 from the sum of the
// weights; errors + 1 bits of one keyword take all of its weight, which is the most that they can.
std::uint32_t KeywordSearch::least_differing() const {
  const std::uint32_t sum = keywords.count() * heaviest;
  const std::uint32_t excess = sum - std::min(sum, gate - 1);
  return excess / heaviest * (errors + 1) + std::min(excess % heaviest, errors + 1);
}

KeywordSearch match_search(const SketchShape& shape, std::uint32_t keywords) {
  const Keywords of_sketch(shape, keywords);
  const std::uint32_t gate = of_sketch.count() < kManyKeywords ? 1 : 2;
  return {"match", KeywordSource::kSketch, of_sketch, 0, 1, gate};
}

KeywordSearch ewh_search(const SketchShape& shape) {
  const Keywords of_bits(one_bit_shape(shape), kMostKeywords / kHeaviest);
  return {"ewh", KeywordSource::kOneBit, of_bits, kErrors, kHeaviest, kHeaviest};
}

MakeKeywords keyword_maker(const SketchPlan& plan, const KeywordSearch& search) {
  const Keywords keywords = search.keywords;
  if (search.source == KeywordSource::kSketch) {
    return [keywords](const DocumentRow& row, std::uint16_t* out) {
      keywords.of(row.sketch.data(), out);
    };
  }
  return [keywords, plan](const DocumentRow& row, std::uint16_t* out) {
    std::vector<std::uint64_t> one_bit(plan.shape().one_bit_words());
    pack_one_bit(plan, row.sketch.data(), one_bit.data());
    keywords.of(one_bit.data(), out);
  };
}

}  // namespace neardup
