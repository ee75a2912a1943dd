#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "pipeline/base/json_object.h"
#include "service/state/comparison.h"
#include "service/state/excerpt.h"

namespace neardup {
namespace {

// A text with its marks, as both are shown.
struct ShownText {
  std::optional<std::string> content;  // nothing: there is none, or none is wanted
  bool whole = true;
  std::vector<ByteRange> marks;
};

std::string flagged_json(const FlaggedAs& flagged) {
  JsonObject json;
  json.text("duplicate_of", flagged.original).number("duplicate_of_seq", flagged.original_seq);
  return json.decimals("similarity", flagged.similarity / 1e6, 3).str();
}

std::string side_json(const Side& side, const ShownText& shown) {
  JsonObject json;
  json.text("name", side.name);
  if (side.tokens) json.number("tokens", *side.tokens);
  json.boolean("text", side.text.has_value());
  if (side.flagged) json.json("flagged", flagged_json(*side.flagged));
  if (shown.content) json.text("content", *shown.content);
  if (!shown.whole) json.boolean("excerpt", true);
  return json.str();
}

// With three decimals, cut.
void add_share(const char* name, std::uint64_t part, std::uint64_t all, JsonObject& json) {
  const std::uint64_t thousandths = part * 1000 / all;
  json.decimals(name, static_cast<double>(thousandths) / 1000, 3);
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

std::string passages_json(const std::vector<ShownPassage>& passages,
                          const ComparisonLimits& limits) {
  return json_list(longest(passages, limits.passages), [&](const ShownPassage& passage) {
    const std::string text = shortened(passage.text, limits.passage_bytes);
    return JsonObject().number("tokens", passage.units).text("text", text).str();
  });
}

// How many more of each kind there are. Empty: none.
std::string left_out_json(const ShownPassages& passages, const ComparisonLimits& limits) {
  const auto more = [&](const std::vector<ShownPassage>& some) {
    return some.size() - longest(some, limits.passages).size();
  };
  const std::size_t shared = more(passages.shared);
  const std::size_t only_a = more(passages.only_a), only_b = more(passages.only_b);
  if (shared + only_a + only_b == 0) return {};
  JsonObject json;
  return json.number("shared", shared).number("only_a", only_a).number("only_b", only_b).str();
}

// What `passages` are of.
ShownText shown_text(const Side& side, const std::vector<ShownPassage>& passages,
                     const ComparisonLimits& limits) {
  std::vector<ByteRange> marks;
  for (const ShownPassage& passage : longest(passages, limits.marks))
    marks.push_back(passage.bytes);
  std::ranges::sort(marks, {}, &ByteRange::begin);
  if (limits.text_bytes == 0 || !side.raw) return {.content = {}, .marks = std::move(marks)};
  Excerpt excerpt = excerpt_of(*side.raw, std::move(marks), limits.text_bytes);
  return {.content = std::move(excerpt.text),
          .whole = side.raw->size() <= limits.text_bytes,
          .marks = std::move(excerpt.marks)};
}

// [[begin, end], …]
std::string marks_json(const std::vector<ByteRange>& marks) {
  return json_list(
      marks, [](const ByteRange& mark) { return fmt::format("[{},{}]", mark.begin, mark.end); });
}

std::string all_passages_json(const ShownPassages& passages, const ShownText& a, const ShownText& b,
                              const ComparisonLimits& limits) {
  JsonObject json;
  json.json("shared", passages_json(passages.shared, limits));
  json.json("only_a", passages_json(passages.only_a, limits));
  json.json("only_b", passages_json(passages.only_b, limits));
  const std::string left_out = left_out_json(passages, limits);
  if (!left_out.empty()) json.json("left_out", left_out);
  JsonObject marks;
  marks.json("a", marks_json(a.marks)).json("b", marks_json(b.marks));
  return json.json("marks", marks.str()).str();
}

std::string part_json(const DifferencePart& part, const ComparisonLimits& limits) {
  JsonObject json;
  if (part.kind == DifferencePart::Kind::kFolded) return json.number("folded", part.words).str();
  const bool changed = part.kind == DifferencePart::Kind::kChanged;
  const auto shown = [&](std::string_view text) {
    return changed ? shortened(text, limits.change_bytes)
                   : without_middle(text, limits.equal_bytes);
  };
  json.text("a", shown(part.a)).text("b", shown(part.b));
  if (changed) json.boolean("changed", true);
  return json.str();
}

// The parts up to the last change that is shown.
std::span<const DifferencePart> first_parts(const Differences& differences, std::size_t changes) {
  if (differences.changes <= changes) return differences.parts;
  std::size_t end = 0;
  for (std::size_t shown = 0; shown < changes; ++end)
    shown += differences.parts[end].kind == DifferencePart::Kind::kChanged ? 1 : 0;
  return std::span(differences.parts).first(end);
}

std::string differences_json(const Differences& differences, const ComparisonLimits& limits) {
  JsonObject json;
  json.number("changes", differences.changes).boolean("shortest", differences.shortest);
  return json
      .json("parts", json_list(first_parts(differences, limits.changes),
                               [&](const DifferencePart& part) { return part_json(part, limits); }))
      .str();
}

}  // namespace

std::string comparison_json(const Comparison& comparison, const ComparisonLimits& limits) {
  const auto& [a, b, rule] = comparison;
  const auto passages = shown_passages(comparison);
  const std::vector<ShownPassage> none;
  const ShownText shown_a = shown_text(a, passages ? passages->shared : none, limits);
  const ShownText shown_b = shown_text(b, passages ? passages->shared_b : none, limits);
  JsonObject json;
  json.json("a", side_json(a, shown_a)).json("b", side_json(b, shown_b));
  json.boolean("same_content", same_content(comparison));
  json.decimals("threshold", rule.decision.threshold / 1e6, 6);
  if (const auto found = sketch_similarity(comparison)) {
    json.json("sketch", sketch_json(*found, rule.plan));
  } else {
    json.text("no_sketch", why_no_sketch(comparison));
  }
  if (const auto exact = exact_similarity(comparison)) json.json("exact", exact_json(*exact));
  if (passages) {
    json.json("passages", all_passages_json(*passages, shown_a, shown_b, limits));
    json.json("differences", differences_json(passages->differences, limits));
  }
  return json.str();
}

}  // namespace neardup
