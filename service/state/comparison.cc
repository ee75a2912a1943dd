#include "service/state/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "gpu/cpu/compare.h"
#include "gpu/cpu/shingler.h"
#include "gpu/keys.h"
#include "pipeline/core/failure.h"
#include "pipeline/match/passages.h"
#include "pipeline/prepare.h"
#include "pipeline/state_keys.h"
#include "pipeline/text/normalise.h"
#include "pipeline/text/utf8.h"
#include "service/state/stored_version.h"

namespace neardup {
namespace {

constexpr std::size_t kPassagesShown = 5;
constexpr std::size_t kPassageBytes = 300;

// Throws the verdict of a flagged document, of which nothing else is stored.
[[noreturn]] void refuse_flagged(const std::string& id, const IdRow& row, Store& store) {
  if (row.kept) throw Failure(Exit::kUsage, fmt::format("{}: has no tokens", id));
  throw Failure(Exit::kUsage,
                fmt::format("{}: was flagged as a copy of {} (seq {}), similarity {:.3f}; nothing "
                            "else of it is kept. Compare the two texts as files, or keep all with "
                            "against: all",
                            id, original_id(row, store), row.original, row.similarity / 1e6));
}

bool have_texts(const Side& a, const Side& b) {
  return a.text && b.text && !a.text->empty() && !b.text->empty();
}

void add_exact(const Comparison& comparison, std::string& out) {
  const auto& [a, b, rule] = comparison;
  if (!a.text || !b.text) {
    fmt::format_to(
        std::back_inserter(out),
        "exact Jaccard    not known: the state does not keep texts (storage.keep_texts)\n");
    return;
  }
  const auto exact = exact_similarity(comparison);
  if (!exact) {
    fmt::format_to(std::back_inserter(out),
                   "exact Jaccard    none: a text without tokens has no similarity\n");
    return;
  }
  const auto& [common, all] = exact->shingles;
  fmt::format_to(std::back_inserter(out),
                 "exact Jaccard    {}.{:03}   {} of {} different shingles are shared{}\n",
                 common / all, common * 1000 / all % 1000, common, all,
                 *a.text == *b.text ? "; the normalised texts are equal" : "");
  fmt::format_to(std::back_inserter(out), "threshold        {:.3f}   {}\n",
                 rule.decision.threshold / 1e6,
                 exact->reaches_threshold ? "reached" : "not reached");
}

void add_estimate(const Comparison& comparison, std::string& out) {
  const auto found = sketch_similarity(comparison);
  if (!found) {
    fmt::format_to(std::back_inserter(out),
                   "estimate         none: a side is too short for a sketch\n");
    return;
  }
  const SketchPlan& plan = comparison.rule.plan;
  const Estimate& e = found->estimate;
  fmt::format_to(
      std::back_inserter(out),
      "estimate         {:.3f}   95 %: {:.3f} to {:.3f}; {} of {} sketch values are equal, {} are "
      "needed\n",
      e.similarity / 1e6, e.low / 1e6, e.high / 1e6, found->equal, plan.sketch.size, found->needed);
  fmt::format_to(std::back_inserter(out), "buckets shared   {} of {}{}\n", found->bands_hit,
                 plan.bands,
                 found->bands_hit == 0 ? "   the index would not bring this pair together" : "");
}

void add_passages(std::string_view title, const std::vector<Passage>& passages, std::string& out) {
  if (passages.empty()) return;
  fmt::format_to(std::back_inserter(out), "\n{}\n", title);
  for (std::size_t i = 0; i < std::min(kPassagesShown, passages.size()); ++i) {
    std::string_view text = passages[i].text;
    const bool cut = text.size() > kPassageBytes;
    if (cut) text = text.substr(0, std::max(text.rfind(' ', kPassageBytes), std::size_t{1}));
    fmt::format_to(std::back_inserter(out), "  {:>6}  {}{}\n", passages[i].units, text,
                   cut ? " …" : "");
  }
  if (passages.size() > kPassagesShown)
    fmt::format_to(std::back_inserter(out), "          and {} shorter ones\n",
                   passages.size() - kPassagesShown);
}

}  // namespace

std::optional<ExactSimilarity> exact_similarity(const Comparison& comparison) {
  const auto& [a, b, rule] = comparison;
  if (!have_texts(a, b)) return {};
  Shingler shingler(rule.plan.shingle, rule.plan.sketch.seed, SimdLevel::kAuto);
  const Overlap found = overlap(shingler.sorted_set(*a.text), shingler.sorted_set(*b.text));
  return ExactSimilarity{found,
                         found.common * kOne >= std::uint64_t{rule.decision.threshold} * found.all};
}

std::optional<SketchSimilarity> sketch_similarity(const Comparison& comparison) {
  const auto& [a, b, rule] = comparison;
  if (a.sketch.empty() || b.sketch.empty()) return {};
  const Estimator estimator(rule.plan, rule.decision.threshold);
  const SketchComparer comparer(rule.plan.shape(), {});
  const std::uint32_t equal = comparer.equal_values(a.sketch.data(), b.sketch.data());
  const SetSizes sizes{a.distinct_shingles, b.distinct_shingles};
  return SketchSimilarity{estimator.estimate(equal, sizes), equal, estimator.decision_count(sizes),
                          comparer.bands_hit(a.sketch.data(), b.sketch.data())};
}

std::optional<Side> side_of_text(std::string name, std::string_view raw, const Rule& rule,
                                 Backend& backend) {
  std::string valid;
  replace_invalid_utf8(raw, valid);
  std::string normalised;
  const NormalisedText result =
      Normaliser().normalise(valid, most_normalised_bytes(rule.text), normalised);
  if (valid.size() > rule.text.max_bytes || result.too_large) return {};
  normalised.resize(result.bytes);
  const std::uint32_t units = count_units(result, normalised, rule.plan.shingle);
  Side side{std::move(name), units, 0, {}, normalised};
  if (normalised.empty()) return side;
  TextBatch texts;
  texts.push(normalised);
  SketchRows rows(rule.plan.shape(), 1);
  const SketchTask task{0, hash_namespace(rule.plan.sketch.seed, "")};
  backend.sketch(texts, {&task, 1}, rows);
  side.sketch = rows.sketches;
  side.distinct_shingles = rows.distinct_shingles.front();
  return side;
}

Side side_of_id(const std::string& id, const std::string& name_space, Store& store) {
  const auto version = stored_version({name_space, id}, store);
  if (!version) throw Failure(Exit::kUsage, fmt::format("{}: the state has no such id", id));
  if (!version->document) refuse_flagged(id, version->id, store);
  const DocumentRow& row = *version->document;
  return {id, row.tokens, row.distinct_shingles, row.sketch, store.text(row.seq)};
}

Comparison compare_ids(const std::string& name_space, const std::string& a, const std::string& b,
                       Store& store) {
  return {side_of_id(a, name_space, store), side_of_id(b, name_space, store), stored_rule(store)};
}

std::string comparison_text(const Comparison& comparison) {
  const auto& [a, b, rule] = comparison;
  std::string out;
  const char* unit = rule.plan.shingle.unit == ShingleUnit::kWord ? "tokens" : "code points";
  fmt::format_to(std::back_inserter(out), "A  {}   {} {}\nB  {}   {} {}\n\n", a.name, a.tokens,
                 unit, b.name, b.tokens, unit);
  add_exact(comparison, out);
  add_estimate(comparison, out);
  if (!have_texts(a, b)) return out;
  const Passages passages = compare_passages(*a.text, *b.text, rule.plan.shingle);
  add_passages(fmt::format("shared, longest first ({})", unit), passages.shared, out);
  add_passages("only in A", passages.only_a, out);
  add_passages("only in B", passages.only_b, out);
  return out;
}

}  // namespace neardup
