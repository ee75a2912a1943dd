// The keyed 128-bit hash of a normalised text (docs/formats/sketch.md, "Content hash").
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "gpu/options.h"
#include "pipeline/model/types.h"

namespace neardup {

class ContentHasher {
 public:
  explicit ContentHasher(const Seed& seed);
  Hash128 hash(std::string_view normalised) const;

 private:
  std::array<std::uint64_t, 24> secret_;
};

}  // namespace neardup
