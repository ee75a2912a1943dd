// Two documents side by side, as `neardup explain` shows them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

// Two ids of a state, under its rule. Throws Failure(kUsage) for an id that is not there or of
// which only the verdict is stored, Failure(kUnavailable) when the state has no rule yet.
Comparison compare_ids(const std::string& name_space, const std::string& a, const std::string& b,
                       Store& store);

// Similarity, evidence, shared and differing passages; lines for people. Takes a while for long
// texts.
std::string comparison_text(const Comparison& comparison);

}  // namespace neardup
