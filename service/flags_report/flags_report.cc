#include "service/flags_report/flags_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "pipeline/base/failure.h"
#include "pipeline/base/json_object.h"
#include "service/state/comparison.h"

namespace neardup {
namespace {

constexpr std::size_t kGroups = 20;
constexpr ComparisonLimits kLimits{.passages = 10,
                                   .passage_bytes = 200,
                                   .changes = 6,
                                   .change_bytes = 100,
                                   .equal_bytes = 60,
                                   .text_bytes = 4096};

std::string counts_json(const StatusCounts& counts) {
  JsonObject json;
  for (std::size_t i = kStatuses; i-- > 0;) json.number(kStatusNames[i], counts[i]);
  return json.str();
}

std::string inputs_json(const std::vector<InputCounts>& inputs) {
  return json_list(inputs, [](const InputCounts& input) {
    return JsonObject().text("name", input.name).json("counts", counts_json(input.counts)).str();
  });
}

// Bins from the first one that has the threshold or a similarity.
std::string similarity_json(const FlagTotals& totals, Ppm threshold) {
  constexpr Ppm kWidth = FlagTotals::kBinWidth;
  const auto& counts = totals.by_similarity();
  std::size_t first = std::min<std::size_t>(threshold / kWidth, FlagTotals::kBins - 1);
  for (std::size_t i = 0; i < first; ++i) {
    if (counts[i] > 0) first = i;
  }
  std::vector<std::size_t> bins;
  for (std::size_t i = first; i < FlagTotals::kBins; ++i) bins.push_back(i);
  return json_list(bins, [&](std::size_t bin) {
    const double low = static_cast<double>(bin * kWidth) / kOne;
    JsonObject json;
    json.decimals("low", low, 2).decimals("high", low + static_cast<double>(kWidth) / kOne, 2);
    return json.number("count", counts[bin]).str();
  });
}

std::string copy_json(const SampledCopy& copy) {
  JsonObject json;
  json.text("id", copy.id).number("seq", copy.seq);
  return json.decimals("similarity", copy.similarity / 1e6, 3).str();
}

std::string group_json(const LargeGroup& group) {
  JsonObject json;
  json.text("group", group.id);
  if (!group.name_space.empty()) json.text("namespace", group.name_space);
  json.number("seq", group.seq).number("copies", group.copies);
  return json.json("sample", json_list(group.sample, copy_json)).str();
}

std::string pair_json(const SampledPair& pair, std::string_view comparison,
                      std::string_view why = {}) {
  JsonObject json;
  json.boolean("near", pair.near).json("flag", pair.flag).json("comparison", comparison);
  if (!why.empty()) json.text("why_no_text", why);
  return json.str();
}

// Why there is no text of the documents of a pair; empty: both have one.
std::string why_not(const SampledPair& pair, const PairTexts& texts) {
  std::string why;
  for (const PairDocument* document : {&pair.document, &pair.original}) {
    const DocumentText& found = texts.of(*document);
    if (found.text) continue;
    why += fmt::format("{}{}: {}", why.empty() ? "" : "; ", document->id, found.why_not);
  }
  return why;
}

}  // namespace

FlagsReport::FlagsReport(const Rule& rule, bool compares)
    : compares_(compares),
      rule_(rule_fingerprint(rule_text(rule))),
      threshold_(rule.decision.threshold) {}

void FlagsReport::add(const FlagLine& flag, const FlagsReader& reader) {
  const FlagEvidence evidence = reader.evidence();
  require_rule(evidence, reader);
  totals_.add(flag, evidence);
  groups_.add(flag, evidence.similarity);
  pairs_.add(flag, evidence);
}

void FlagsReport::require_rule(const FlagEvidence& evidence, const FlagsReader& reader) {
  if (!compares_ && !any_flag_) {
    rule_ = evidence.rule;
    threshold_ = evidence.threshold;
  }
  any_flag_ = true;
  if (evidence.rule == rule_) return;
  throw Failure(
      Exit::kUnreadable,
      fmt::format("{}: a flag of the rule {}, {} {}: {}", reader.place(), evidence.rule,
                  compares_ ? "and the settings given make the rule"
                            : "and those before it are of the rule",
                  rule_,
                  compares_ ? "give those of the run that wrote the flags, by -c and --set, or its "
                              "state by --state"
                            : "give the flags of one rule"));
}

std::string FlagsReport::json(const ReportHead& head, const std::vector<std::string>& pairs,
                              std::vector<std::string> notes) const {
  add_notes(notes);
  JsonObject json;
  json.text("kind", "report").text("title", head.title).text("made", head.made);
  json.text("version", head.version).text("rule", rule_);
  json.number("threshold", threshold_ / 1e6).json("counts", counts_json(totals_.by_status()));
  json.json("similarity", similarity_json(totals_, threshold_));
  json.json("inputs", inputs_json(totals_.by_input()));
  json.json("groups", json_list(groups_.largest(kGroups), group_json));
  json.json("pairs", json_list(pairs, [](const std::string& pair) { return pair; }));
  return json.json("notes", json_texts(notes)).str();
}

void FlagsReport::add_notes(std::vector<std::string>& notes) const {
  if (totals_.inputs_left_out()) {
    notes.push_back(fmt::format("There are more than {} inputs; the others are counted together.",
                                FlagTotals::kMostInputs));
  }
  if (groups_.most_missed() > 0) {
    notes.push_back(
        fmt::format("There are more groups than fit into memory; a group may have up "
                    "to {} copies more than are counted.",
                    groups_.most_missed()));
  }
  if (pairs_.too_long() > 0) {
    notes.push_back(
        fmt::format("{} near-duplicates are not among the pairs: their flags have more "
                    "than {} bytes.",
                    pairs_.too_long(), PairSample::kLongestFlag));
  }
}

std::string pair_without_texts_json(const SampledPair& pair) {
  return pair_json(pair, "null", "no inputs were given");
}

std::string pair_json(const SampledPair& pair, const PairTexts& texts, const Rule& rule,
                      SimdLevel simd) {
  const std::string why = why_not(pair, texts);
  if (!why.empty()) return pair_json(pair, "null", why);
  const auto side = [&](const PairDocument& document) {
    return side_of_text(document.id, *texts.of(document).text, rule);
  };
  auto document = side(pair.document), original = side(pair.original);
  if (!document || !original)
    return pair_json(pair, "null", "a text is larger than text.max_bytes");
  document->flagged = {pair.original.id, pair.original.seq, pair.similarity};
  const Comparison comparison =
      make_comparison(std::move(*document), std::move(*original), rule, simd);
  return pair_json(pair, comparison_json(comparison, kLimits));
}

}  // namespace neardup
