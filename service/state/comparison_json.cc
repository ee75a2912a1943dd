#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "service/records/json_object.h"
#include "service/state/comparison.h"

namespace neardup {
namespace {

constexpr std::size_t kPassages = 100;  // of each kind: the longest
constexpr std::size_t kMarks = 1000;

std::string flagged_json(const FlaggedAs& flagged) {
  JsonObject json;
  json.text("duplicate_of", flagged.original).number("duplicate_of_seq", flagged.original_seq);
  return json.decimals("similarity", flagged.similarity / 1e6, 3).str();
}

std::string side_json(const Side& side, TextsOfComparison texts) {
  JsonObject json;
  json.text("name", side.name);
  if (side.tokens) json.number("tokens", *side.tokens);
  json.boolean("text", side.text.has_value());
  if (side.flagged) json.json("flagged", flagged_json(*side.flagged));
  if (side.text && texts == TextsOfComparison::kShown)
    json.text("content", side.raw ? *side.raw : *side.text);
  return json.str();
}

// With three decimals, cut.
void add_share(const char* name, std::uint64_t part, std::uint64_t all, JsonObject& json) {
  json.decimals(name, static_cast<double>(part * 1000 / all) / 1000, 3);
}

std::string exact_json(const ExactSimilarity& exact) {
  const auto& [common, all] = exact.shingles;
  JsonObject json;
  add_share("similarity", common, all, json);
  add_share("contained_a", common, exact.shingles_a, json);
  add_share("contained_b", common, exact.shingles_b, json);
  json.number("shared_shingles", common).number("shingles", all);
  return json.boolean("reaches_threshold", exact.reaches_threshold).str();
}

std::string sketch_json(const SketchSimilarity& found, const SketchPlan& plan) {
  JsonObject json;
  json.decimals("similarity", found.estimate.similarity / 1e6, 3);
  json.decimals("similarity_low", found.estimate.low / 1e6, 3);
  json.decimals("similarity_high", found.estimate.high / 1e6, 3);
  json.number("equal", found.equal).number("values", plan.sketch.size);
  json.number("needed", found.needed);
  return json.number("bands_hit", found.bands_hit)
      .number("bands", plan.bands)
      .number("rows", plan.rows)
      .str();
}

std::span<const ShownPassage> longest(const std::vector<ShownPassage>& passages, std::size_t most) {
  return std::span(passages).first(std::min(most, passages.size()));
}

std::string passages_json(const std::vector<ShownPassage>& passages) {
  return json_list(longest(passages, kPassages), [](const ShownPassage& passage) {
    return JsonObject().number("tokens", passage.units).text("text", passage.text).str();
  });
}

// [[begin, end], …] in the order of the text.
std::string marks_json(const std::vector<ShownPassage>& passages) {
  const auto some = longest(passages, kMarks);
  std::vector<ShownPassage> ordered(some.begin(), some.end());
  std::ranges::sort(ordered, {}, [](const ShownPassage& passage) { return passage.bytes.begin; });
  return json_list(ordered, [](const ShownPassage& passage) {
    return fmt::format("[{},{}]", passage.bytes.begin, passage.bytes.end);
  });
}

std::string all_passages_json(const ShownPassages& passages) {
  JsonObject lists;
  lists.json("shared", passages_json(passages.shared));
  lists.json("only_a", passages_json(passages.only_a));
  lists.json("only_b", passages_json(passages.only_b));
  JsonObject marks;
  marks.json("a", marks_json(passages.shared)).json("b", marks_json(passages.shared_b));
  return lists.json("marks", marks.str()).str();
}

}  // namespace

std::string comparison_json(const Comparison& comparison, TextsOfComparison texts) {
  const auto& [a, b, rule] = comparison;
  JsonObject json;
  json.json("a", side_json(a, texts)).json("b", side_json(b, texts));
  json.boolean("same_content", same_content(comparison));
  json.decimals("threshold", rule.decision.threshold / 1e6, 6);
  if (const auto found = sketch_similarity(comparison))
    json.json("sketch", sketch_json(*found, rule.plan));
  if (const auto exact = exact_similarity(comparison)) json.json("exact", exact_json(*exact));
  if (const auto passages = shown_passages(comparison))
    json.json("passages", all_passages_json(*passages));
  return json.str();
}

}  // namespace neardup
