#include <algorithm>

#include "pipeline/match/passages.h"
#include "service/records/json_object.h"
#include "service/state/comparison.h"

namespace neardup {
namespace {

constexpr std::size_t kPassages = 100;  // of each kind: the longest

std::string side_json(const Side& side) {
  JsonObject json;
  json.text("name", side.name).number("tokens", side.tokens);
  return json.boolean("text", side.text.has_value()).str();
}

std::string exact_json(const ExactSimilarity& exact) {
  const auto& [common, all] = exact.shingles;
  JsonObject json;
  json.decimals("similarity", static_cast<double>(common * 1000 / all) / 1000, 3);
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
  return json.number("bands_hit", found.bands_hit).number("bands", plan.bands).str();
}

std::string passages_json(const std::vector<Passage>& passages) {
  std::string list = "[";
  for (std::size_t i = 0; i < std::min(kPassages, passages.size()); ++i) {
    if (i > 0) list += ',';
    list += JsonObject().number("tokens", passages[i].units).text("text", passages[i].text).str();
  }
  return list + "]";
}

}  // namespace

std::string comparison_json(const Comparison& comparison) {
  const auto& [a, b, rule] = comparison;
  JsonObject json;
  json.json("a", side_json(a)).json("b", side_json(b));
  json.decimals("threshold", rule.decision.threshold / 1e6, 6);
  if (const auto found = sketch_similarity(comparison))
    json.json("sketch", sketch_json(*found, rule.plan));
  const auto exact = exact_similarity(comparison);
  if (!exact) return json.str();
  json.json("exact", exact_json(*exact));
  const Passages passages = compare_passages(*a.text, *b.text, rule.plan.shingle);
  JsonObject lists;
  lists.json("shared", passages_json(passages.shared));
  lists.json("only_a", passages_json(passages.only_a));
  return json.json("passages", lists.json("only_b", passages_json(passages.only_b)).str()).str();
}

}  // namespace neardup
