// Shared and differing passages of two normalised texts, as tokens, for people to read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gpu/options.h"

namespace neardup {

struct Passage {
  std::string_view text;  // of the normalised text given
  std::size_t units = 0;  // tokens, or code points with shingle.unit char
};

// Each longest first.
struct Passages {
  std::vector<Passage> shared;  // of A
  std::vector<Passage> only_a;
  std::vector<Passage> shared_b;  // the same as `shared`, of B, where they may be cut otherwise
  std::vector<Passage> only_b;
};

// A unit belongs to a shared passage when a shingle that both texts have covers it. Requires: the
// texts outlive the result; neither is empty.
Passages compare_passages(std::string_view a, std::string_view b, const ShingleOptions& options);

}  // namespace neardup
