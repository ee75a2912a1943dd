// The packed 1-bit filter: most candidates die here, before their row is read. It never drops a
// pair that would pass: values that are equal have equal lowest bits (Knudsen 2021).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

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

  // How many values of the two are equal at most; nothing when the document with these bits cannot
  // be an original. `bits` is null where they are not at hand.
  std::optional<std::uint32_t> pass(const std::uint64_t* query, const std::uint64_t* bits) {
    ++counts_.candidates;
    std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
    if (need_ != 0 && bits != nullptr) most = comparer_.equal_bits(query, bits);
    if (most < need_) return std::nullopt;
    ++counts_.passed;
    return most;
  }

  std::uint32_t need() const { return need_; }
  const FilterCounts& counts() const { return counts_; }

 private:
  const SketchComparer& comparer_;
  std::uint32_t need_;
  FilterCounts counts_;
};

}  // namespace neardup
