// One side of a comparison: a text, or what a state stores of a document.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/options.h"
#include "pipeline/rule/rule.h"
#include "storage/store.h"

namespace neardup {

// What was decided about a flagged document.
struct FlaggedAs {
  std::string original;  // its id, or kDeletedDocument
  Seq original_seq = 0;
  Ppm similarity = 0;
};

struct Side {
  std::string name;
  std::optional<std::string> raw = {};       // as it came or is kept; nothing: not kept
  std::optional<std::string> text = {};      // normalised
  Hash128 content = {};                      // of the normalised text, by the seed of the rule
  std::optional<std::uint32_t> tokens = {};  // nothing: not kept
  std::uint32_t distinct_shingles = 0;
  std::vector<std::uint64_t> sketch = {};  // empty: there is none, or it is not kept
  std::optional<FlaggedAs> flagged = {};   // nothing: kept, or in no state
};

// A text that is in no state. Nothing: it is larger than text.max_bytes.
std::optional<Side> side_of_text(std::string name, std::string_view raw, const Rule& rule);

// An id of a state, without what `complete` adds. Throws Failure(kUsage) for one that is not there
// or has no tokens.
Side side_of_id(const std::string& id, const std::string& name_space, Store& store);

// Adds what follows from the raw text, where there is one; no sketch where the seed is unknown.
void complete(Side& side, const Rule& rule, SimdLevel simd);

}  // namespace neardup
