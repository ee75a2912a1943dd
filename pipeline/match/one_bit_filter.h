// The packed 1-bit filter: most candidates die here, before their row is read. It never drops a
// pair that would pass: values that are equal have equal lowest bits (Knudsen 2021).
#pragma once

#include <cstdint>
#include <limits>

#include "gpu/compare.h"

namespace neardup {

struct FilterCounts {
  std::uint64_t candidates = 0;  // told apart by seq, each once a document
  std::uint64_t passed = 0;
};

class OneBitFilter {
 public:
  // `need`: the count of equal values that every original reaches; 0 lets everything through.
  OneBitFilter(const SketchComparer& comparer, std::uint32_t need)
      : comparer_(comparer), need_(need) {}

  // How many values of the two are equal at most. `bits` is null where they are not at hand.
  std::uint32_t most(const std::uint64_t* query, const std::uint64_t* bits) const {
    return need_ != 0 && bits != nullptr ? comparer_.equal_bits(query, bits)
                                         : std::numeric_limits<std::uint32_t>::max();
  }

  // Can a candidate with that many equal values, or fewer, be an original?
  bool pass(std::uint32_t most) {
    ++counts_.candidates;
    if (most < need_) return false;
    ++counts_.passed;
    return true;
  }

  std::uint32_t need() const { return need_; }
  const FilterCounts& counts() const { return counts_; }

 private:
  const SketchComparer& comparer_;
  std::uint32_t need_;
  FilterCounts counts_;
};

}  // namespace neardup
