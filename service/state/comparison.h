// Two documents side by side, as `neardup explain` shows them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/options.h"
#include "pipeline/match/exact_sets.h"
#include "pipeline/match/passages.h"
#include "pipeline/rule/estimate.h"
#include "pipeline/rule/rule.h"
#include "pipeline/text/raw_ranges.h"
#include "service/state/differences.h"
#include "storage/store.h"

namespace neardup {

// The decision about a flagged document.
struct FlaggedAs {
  std::string original;  // its id, or kDeletedDocument
  Seq original_seq = 0;
  Ppm similarity = 0;
};

// One side of a comparison: a text, or what a state stores of a document (side.cc).
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

struct Comparison {
  Side a;
  Side b;
  Rule rule;
};

// Completes the sides.
Comparison make_comparison(Side a, Side b, const Rule& rule, SimdLevel simd = SimdLevel::kAuto);

// Exact similarity, from the shingle sets. Nothing: a text is not kept, or is empty.
struct ExactSimilarity {
  Overlap shingles;
  std::uint64_t shingles_a = 0;  // different ones
  std::uint64_t shingles_b = 0;
  bool reaches_threshold = false;
};
std::optional<ExactSimilarity> exact_similarity(const Comparison& comparison);

// Estimate, from the sketches. Nothing: a side has none.
struct SketchSimilarity {
  Estimate estimate;
  std::uint32_t equal = 0;      // values
  std::uint32_t needed = 0;     // equal values, to reach the threshold
  std::uint32_t bands_hit = 0;  // buckets that both are in
};
std::optional<SketchSimilarity> sketch_similarity(const Comparison& comparison);

// Why there is no such similarity, for people: a part of a sentence.
std::string why_no_sketch(const Comparison& comparison);

// Are the normalised texts equal? By their 128-bit hashes, so that no text is needed. Where the
// seed is unknown, that of a text is not the stored one, and both texts are.
inline bool same_content(const Comparison& comparison) {
  const auto& [a, b, rule] = comparison;
  return a.content == b.content || (a.text && b.text && *a.text == *b.text);
}

// A passage as it stands in the raw text.
struct ShownPassage {
  std::string_view text;
  std::size_t units = 0;  // tokens, or code points with shingle.unit char
  ByteRange bytes = {};   // of that text
};

struct ShownPassages {
  std::vector<ShownPassage> shared;  // of A; longest first, as the others
  std::vector<ShownPassage> only_a;
  std::vector<ShownPassage> shared_b;
  std::vector<ShownPassage> only_b;
  Differences differences;
};

// Views into the comparison. Nothing: a text is not kept, or is empty.
std::optional<ShownPassages> shown_passages(const Comparison& comparison);

// Two ids of a state, under its rule. Throws as `side_of_id`.
Comparison compare_ids(const std::string& name_space, const std::string& a, const std::string& b,
                       const Rule& rule, Store& store);

// Similarity, evidence, what differs where both are similar, shared and differing passages; lines
// for people, with colours of a terminal where `colour`. Takes a while for long texts.
std::string comparison_text(const Comparison& comparison, bool colour = false);

inline constexpr std::size_t kWholeTexts = std::numeric_limits<std::size_t>::max();

struct ComparisonLimits {
  std::size_t passages = 100;               // of each kind: the longest
  std::size_t passage_bytes = kWholeTexts;  // of each; the rest is cut
  std::size_t marks = 1000;                 // of each text: the longest shared passages
  std::size_t changes = 1000;               // the first ones
  std::size_t change_bytes = 2000;          // of each text in a change; the rest is cut
  std::size_t equal_bytes = 300;            // of each end of an equal part; the middle is cut
  std::size_t text_bytes = 0;  // of each text; of longer ones an excerpt (excerpt.h); 0: no texts
};
// The same as one object on one line (comparison_json.cc). `marks` are the bytes of shared passages
// in each text, or in its excerpt.
std::string comparison_json(const Comparison& comparison, const ComparisonLimits& limits = {});

}  // namespace neardup
