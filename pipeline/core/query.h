#pragma once

#include <cstdint>
#include <string_view>

namespace neardup {

// A document with a sketch that looks for its original.
struct Query {
  std::string_view name_space;
  const std::uint64_t* sketch = nullptr;
  const std::uint64_t* one_bit = nullptr;
  std::uint32_t distinct_shingles = 0;
  std::string_view text;  // normalised; looked at by exact verification only
};

}  // namespace neardup
