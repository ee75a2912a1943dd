// The keywords of a sketch for match-counts: 16 neighbouring bits of the packed row each, so two
// values of 8 bits, four of 4 bits, and so on. It is the re-hashed LSH function of GENIE (Zhou et
// al. 2018, section 4.2.2) over concatenated b-bit values.
#pragma once

#include <cstdint>

#include "pipeline/model/sketched_batch.h"

namespace neardup {

class Keywords {
 public:
  // The first `wanted` keywords, or as many as the sketch has.
  Keywords(const SketchShape& shape, std::uint32_t wanted);

  std::uint32_t count() const { return count_; }
  // So many values of the sketch lie in one keyword: all are equal where the keyword is.
  std::uint32_t values_each() const { return values_each_; }

  // Requires: room for count(). Keyword: an unsigned integer of 16 bits or more.
  template <class Keyword>
  void of(const std::uint64_t* sketch, Keyword* keywords) const {
    for (std::uint32_t i = 0; i < count_; ++i) {
      const std::uint32_t bit = i * stride_;
      keywords[i] = static_cast<std::uint16_t>(sketch[bit / 64] >> (bit % 64));
    }
  }

 private:
  std::uint32_t stride_;  // bits from one keyword to the next
  std::uint32_t values_each_;
  std::uint32_t count_;
};

}  // namespace neardup
