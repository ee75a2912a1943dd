#include "service/state/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "gpu/cpu/compare.h"
#include "gpu/cpu/shingler.h"
#include "pipeline/base/utf8.h"
#include "pipeline/match/passages.h"
#include "pipeline/text/normalise.h"
#include "service/state/excerpt.h"

namespace neardup {
namespace {

constexpr std::size_t kPassagesShown = 5;
constexpr std::size_t kPassageBytes = 300;

bool have_texts(const Side& a, const Side& b) {
  return a.text && b.text && !a.text->empty() && !b.text->empty();
}

// Which side lacks what `lacks` asks for: "of A", "of B" or "of both".
template <typename Lacks>
std::string_view of_which(const Comparison& comparison, const Lacks& lacks) {
  if (!lacks(comparison.b)) return "of A";
  return lacks(comparison.a) ? "of both" : "of B";
}

void add_exact(const Comparison& comparison, const std::optional<ExactSimilarity>& exact,
               std::string& out) {
  const auto& [a, b, rule] = comparison;
  if (!a.text || !b.text) {
    if (same_content(comparison)) {
      out += "exact Jaccard    1.000   the normalised texts are equal, by their hashes\n";
      return;
    }
    fmt::format_to(std::back_inserter(out),
                   "exact Jaccard    not known: the text {} is not kept (storage.keep_texts)\n",
                   of_which(comparison, [](const Side& side) { return !side.text; }));
    return;
  }
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

// Its sketch is not kept, and neither is its text.
bool is_unknown(const Side& side) { return !side.tokens; }

bool some_is_unknown(const Comparison& comparison) {
  return is_unknown(comparison.a) || is_unknown(comparison.b);
}

// Its sketch could be made if the seed was known.
bool needs_seed(const Side& side) {
  return side.sketch.empty() && side.text && !side.text->empty();
}

// A side lacks the sketch that its document may have.
bool may_have_sketches(const Comparison& comparison) {
  return some_is_unknown(comparison) ||
         (comparison.rule.unknown_seed && (needs_seed(comparison.a) || needs_seed(comparison.b)));
}

void add_estimate(const Comparison& comparison, std::string& out) {
  const auto found = sketch_similarity(comparison);
  if (!found) {
    fmt::format_to(std::back_inserter(out), "estimate         {}: {}\n",
                   may_have_sketches(comparison) ? "not known" : "none", why_no_sketch(comparison));
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

// At most kPassageBytes, to the end of a word where there is one.
std::string_view beginning(std::string_view text) {
  if (text.size() <= kPassageBytes) return text;
  const std::size_t blank = text.find_last_of(" \t\n", kPassageBytes);
  if (blank != text.npos && blank > 0) return text.substr(0, blank);
  std::size_t end = kPassageBytes;
  while (continues_code_point(text[end])) --end;
  return text.substr(0, end);
}

void add_passages(std::string_view title, const std::vector<ShownPassage>& passages,
                  std::string& out) {
  if (passages.empty()) return;
  fmt::format_to(std::back_inserter(out), "\n{}\n", title);
  for (std::size_t i = 0; i < std::min(kPassagesShown, passages.size()); ++i) {
    const std::string_view shown = beginning(passages[i].text);
    fmt::format_to(std::back_inserter(out), "  {:>6}  {}{}\n", passages[i].units,
                   visible_text(shown), shown.size() < passages[i].text.size() ? " …" : "");
  }
  if (passages.size() > kPassagesShown)
    fmt::format_to(std::back_inserter(out), "          and {} shorter ones\n",
                   passages.size() - kPassagesShown);
}

// "A  name   8 tokens; flagged as a copy of other (seq 1), similarity 0.912"
void add_side(std::string_view letter, const Side& side, const char* unit, std::string& out) {
  fmt::format_to(std::back_inserter(out), "{}  {}", letter, visible_text(side.name));
  if (side.tokens) fmt::format_to(std::back_inserter(out), "   {} {}", *side.tokens, unit);
  if (side.flagged) {
    fmt::format_to(std::back_inserter(out), "{}flagged as a copy of {} (seq {}), similarity {:.3f}",
                   side.tokens ? "; " : "   ", visible_text(side.flagged->original),
                   side.flagged->original_seq, side.flagged->similarity / 1e6);
  }
  out += '\n';
}

// So much that it is worth to show what differs.
bool are_similar(const ExactSimilarity& exact) {
  const auto& [common, all] = exact.shingles;
  return static_cast<double>(common) >= kDiffersFrom * static_cast<double>(all);
}

// Passages of one side as they stand in its raw text.
class Shower {
 public:
  Shower(const Side& side, TextFold fold)
      : text_(*side.text),
        raw_(*side.raw),
        normaliser_(SimdLevel::kAuto, fold),
        ranges_(raw_, text_, normaliser_) {}

  std::vector<ShownPassage> show(const std::vector<Passage>& passages) const {
    std::vector<ShownPassage> shown;
    for (const Passage& passage : passages) {
      const auto begin = static_cast<std::size_t>(passage.text.data() - text_.data());
      const ByteRange bytes = ranges_.raw({begin, begin + passage.text.size()});
      shown.push_back({raw_.substr(bytes.begin, bytes.end - bytes.begin), passage.units, bytes});
    }
    return shown;
  }

  WordsOfText words() const { return {raw_, text_, ranges_}; }

 private:
  std::string_view text_;
  std::string_view raw_;
  Normaliser normaliser_;
  RawRanges ranges_;
};

}  // namespace

Comparison make_comparison(Side a, Side b, const Rule& rule, SimdLevel simd) {
  complete(a, rule, simd);
  complete(b, rule, simd);
  return {std::move(a), std::move(b), rule};
}

std::optional<ShownPassages> shown_passages(const Comparison& comparison) {
  const auto& [a, b, rule] = comparison;
  if (!have_texts(a, b)) return {};
  const Passages found = compare_passages(*a.text, *b.text, rule.plan.shingle);
  const Shower of_a(a, rule.text.fold);
  const Shower of_b(b, rule.text.fold);
  return ShownPassages{of_a.show(found.shared), of_a.show(found.only_a), of_b.show(found.shared_b),
                       of_b.show(found.only_b), differences_of(of_a.words(), of_b.words())};
}

std::optional<ExactSimilarity> exact_similarity(const Comparison& comparison) {
  const auto& [a, b, rule] = comparison;
  if (!have_texts(a, b)) return {};
  Shingler shingler(rule.plan.shingle, rule.plan.sketch.seed, SimdLevel::kAuto);
  const auto of_a = shingler.sorted_set(*a.text);
  const auto of_b = shingler.sorted_set(*b.text);
  const Overlap found = overlap(of_a, of_b);
  return ExactSimilarity{found, of_a.size(), of_b.size(),
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

Comparison compare_ids(const std::string& name_space, const std::string& a, const std::string& b,
                       const Rule& rule, Store& store) {
  Side first = side_of_id(a, name_space, store);
  Side second = side_of_id(b, name_space, store);
  return make_comparison(std::move(first), std::move(second), rule);
}

std::string why_no_sketch(const Comparison& comparison) {
  if (some_is_unknown(comparison)) {
    return fmt::format("of a flagged document no sketch is kept; the text {} would do",
                       of_which(comparison, is_unknown));
  }
  if (!may_have_sketches(comparison)) return "a side is too short for a sketch";
  return fmt::format(
      "the seed of the state is secret; with `sketch.seed_file` or `sketch.seed`, by -c or --set, "
      "the text {} has a sketch",
      of_which(comparison, needs_seed));
}

std::string comparison_text(const Comparison& comparison, bool colour) {
  const auto& [a, b, rule] = comparison;
  std::string out;
  const char* unit = rule.plan.shingle.unit == ShingleUnit::kWord ? "tokens" : "code points";
  add_side("A", a, unit, out);
  add_side("B", b, unit, out);
  out += '\n';
  const auto exact = exact_similarity(comparison);
  add_exact(comparison, exact, out);
  add_estimate(comparison, out);
  const auto passages = shown_passages(comparison);
  if (!passages) return out;
  if (are_similar(*exact) && passages->differences.changes > 0)
    out += '\n' + differences_text(passages->differences, colour);
  add_passages(fmt::format("shared, longest first ({})", unit), passages->shared, out);
  add_passages("only in A", passages->only_a, out);
  add_passages("only in B", passages->only_b, out);
  return out;
}

}  // namespace neardup
