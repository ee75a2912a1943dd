#include "service/report/feature_vector.h"

#include <fmt/format.h>

#include <iterator>

#include "gpu/hd/pack.h"

namespace neardup {

std::uint64_t feature_count(const SketchShape& shape) {
  return std::uint64_t{shape.slots} << shape.bits;
}

void append_features(const SketchShape& shape, const std::uint64_t* sketch, std::string& out) {
  out += '0';
  for (std::uint32_t slot = 0; slot < shape.slots; ++slot) {
    const std::uint64_t value = hd::packed_value(sketch, slot, shape.bits);
    const std::uint64_t place = (std::uint64_t{slot} << shape.bits) + value + 1;
    fmt::format_to(std::back_inserter(out), " {}:1", place);
  }
  out += '\n';
}

}  // namespace neardup
