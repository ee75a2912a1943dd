// Two documents side by side, as `neardup explain` shows them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/backend.h"
#include "pipeline/match/exact_sets.h"
#include "pipeline/rule/estimate.h"
#include "pipeline/rule/rule.h"
#include "storage/store.h"

namespace neardup {

// One of the two documents.
struct Side {
  std::string name;
  std::uint32_t tokens = 0;
  std::uint32_t distinct_shingles = 0;
  std::vector<std::uint64_t> sketch;  // empty: none
  std::optional<std::string> text;    // normalised; nothing: not kept
};

struct Comparison {
  Side a;
  Side b;
  Rule rule;
};

// What the shingle sets say. Nothing: a text is not kept, or is empty.
struct ExactSimilarity {
  Overlap shingles;
  bool reaches_threshold = false;
};
std::optional<ExactSimilarity> exact_similarity(const Comparison& comparison);

// What the sketches say. Nothing: a side has none.
struct SketchSimilarity {
  Estimate estimate;
  std::uint32_t equal = 0;      // values
  std::uint32_t needed = 0;     // equal values, to reach the threshold
  std::uint32_t bands_hit = 0;  // buckets that both are in
};
std::optional<SketchSimilarity> sketch_similarity(const Comparison& comparison);

// A text that is in no state. Nothing: it is too large. Throws as the backend.
std::optional<Side> side_of_text(std::string name, std::string_view raw, const Rule& rule,
                                 Backend& backend);
// An id of a state. Throws as `compare_ids`.
Side side_of_id(const std::string& id, const std::string& name_space, Store& store);

// Two ids of a state, under its rule. Throws Failure(kUsage) for an id that is not there or of
// which only the verdict is stored, Failure(kUnavailable) when the state has no rule yet.
Comparison compare_ids(const std::string& name_space, const std::string& a, const std::string& b,
                       Store& store);

// Similarity, evidence, shared and differing passages; lines for people. Takes a while for long
// texts.
std::string comparison_text(const Comparison& comparison);
// The same as one object on one line, with the 100 longest passages of each kind
// (comparison_json.cc).
std::string comparison_json(const Comparison& comparison);

}  // namespace neardup
