#include <fmt/core.h>

#include <cmath>

#include "gpu/options.h"
#include "pipeline/rule/estimate.h"
#include "pipeline/rule/options.h"
#include "service/report/tune_report.h"

namespace neardup {
namespace {

constexpr int kBarWidth = 40;
constexpr std::size_t kTextStep = 5;  // shows every fifth point of the curve

std::string repeat(std::string_view what, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += what;
  return out;
}

// Begins with two spaces, unless it is empty.
std::string bar(const CurvePoint& point) {
  const int flagged = static_cast<int>(std::lround(point.flagged * kBarWidth));
  const int meets = static_cast<int>(std::lround(point.meets * kBarWidth));
  return (meets > 0 ? "  " : "") + repeat("█", flagged) + repeat("░", meets - flagged);
}

// What a candidate must reach, in words.
std::string verification(const Rule& rule) {
  const Estimator estimator(rule.plan, rule.decision.threshold);
  const std::uint32_t size = rule.plan.sketch.size;
  switch (rule.decision.verify) {
    case VerifyMode::kNone:
      return "any shared bucket";
    case VerifyMode::kSketch:
      return fmt::format("{} of {} values equal", estimator.decision_count(), size);
    case VerifyMode::kExact:
      return fmt::format("{} of {} values equal, then the exact similarity",
                         estimator.lower_count(), size);
  }
  return "";
}

std::string choice(const TuneReport& report) {
  const Rule& rule = report.rule;
  const SketchPlan& plan = rule.plan;
  std::string out = fmt::format("threshold      {:g}\nsketch         {} values of {} bits, {}\n",
                                rule.decision.threshold / 1e6, plan.sketch.size, plan.sketch.bits,
                                name(plan.sketch.family));
  out += fmt::format(
      "bands × rows   {} × {}   {}; {} of {} values used\n", plan.bands, plan.rows,
      report.solved ? fmt::format("solved for lsh.recall {:g}", report.wanted_recall) : "as given",
      plan.bands * plan.rows, plan.sketch.size);
  out += fmt::format("recall         {:.4f}   of pairs exactly at the threshold meet in a bucket\n",
                     report.recall);
  out += fmt::format("flagged needs  {}   (verify.mode: {})\n", verification(rule),
                     name(rule.decision.verify));
  out += fmt::format(
      "expected       recall {:.3f}, precision {:.3f}, if similarities of pairs lay evenly from 0 "
      "to 1\n",
      report.even.recall, report.even.precision);
  if (plan.rows < report.least_rows) {
    out += fmt::format(
        "note           {} rows are few for {} documents: set storage.expected_documents to that\n",
        plan.rows, report.documents);
  }
  return out;
}

std::string curve_table(const TuneReport& report) {
  std::string out = "\nChance to be found, by similarity J\n   J      meets   reaches  flagged\n";
  for (std::size_t i = 0; i < report.curve.size(); i += kTextStep) {
    const CurvePoint& point = report.curve[i];
    const bool at =
        std::lround(point.jaccard * kOne) == static_cast<long>(report.rule.decision.threshold);
    out += fmt::format("{} {:.2f}  {:.5f}  {:.5f}  {:.5f}{}\n", at ? ">" : " ", point.jaccard,
                       point.meets, point.reaches, point.flagged, bar(point));
  }
  return out +
         "  meets: in at least one bucket. reaches: enough equal values. flagged: both (█; ░ meets "
         "only).\n";
}

std::string candidates(const TuneReport& report) {
  const SketchPlan& plan = report.rule.plan;
  std::string out =
      fmt::format("\nCandidates of one document\n  unrelated, among {} documents   {:.2g}\n",
                  report.documents, report.chance_meetings);
  for (const double jaccard : kCandidateSimilarities) {
    out += fmt::format("  of 1000 documents at J = {}   {:.4g}\n", jaccard,
                       1000 * meeting_chance(jaccard, plan.sketch.bits, {plan.bands, plan.rows}));
  }
  return out;
}

std::string bytes(const TuneReport& report) {
  std::string out = "\nBytes of one kept document        encoded  on disk\n";
  const auto line = [&](std::string_view part, double encoded, double disk) {
    if (encoded > 0) out += fmt::format("  {:30} {:8.0f} {:8.0f}\n", part, encoded, disk);
  };
  const DocumentBytes& e = report.encoded;
  const DocumentBytes& d = report.on_disk;
  line("sketch", e.sketch, d.sketch);
  line("1-bit sketch", e.one_bit, d.one_bit);
  line(fmt::format("postings ({} bands, content, id)", report.rule.plan.bands), e.postings,
       d.postings);
  line("rest of the row", e.row, d.row);
  line("(id of a flagged copy)", e.id, d.id);
  line("text", e.text, d.text);
  line("all", e.total(), d.total());
  return out;
}

std::string alternatives(const TuneReport& report) {
  std::string out = fmt::format(
      "\nOther choices with recall {:g}, fewest bands for each number of rows\n"
      "  rows  bands  values  recall   candidates of 1000 at J = 0.2  postings\n",
      report.wanted_recall);
  for (const Alternative& other : report.alternatives) {
    out += fmt::format("{} {:4}  {:5}  {:6}  {:.4f}  {:30.4g}  {:8}\n", other.chosen ? ">" : " ",
                       other.bands.rows, other.bands.bands, other.bands.bands * other.bands.rows,
                       other.recall, other.boilerplate_per_1000, postings_of(other.bands.bands));
  }
  return out;
}

std::string framework(const FrameworkReport& report, std::uint64_t documents) {
  std::string out = fmt::format(
      "\nThe LSH framework (Indyk, Motwani 1998): {} documents, found at {:g}, strangers at {:g}\n"
      "  ρ = ln(1/j1) / ln(1/j2) = {:.4f}\n"
      "                                   rows k  tables l   values  found at j1  strangers met\n",
      documents, report.j1, report.j2, report.rho);
  for (const FrameworkRow& row : report.rows) {
    out += fmt::format("  {:32} {:6}  {:8}  {:7}  {:11.4f}  {:13.4g}\n", row.name, row.choice.rows,
                       row.choice.tables, row.choice.rows * row.choice.tables, row.found,
                       row.strangers);
  }
  return out +
         "  Lowered k, as we read Knudsen (2021): where 4 or 8 packed mini-sketches are rejected "
         "in one step, a\n"
         "  bucket may hold that many times more strangers. Strangers met: if all documents were "
         "at j2.\n";
}

}  // namespace

std::string tune_text(const TuneReport& report) {
  return choice(report) + curve_table(report) + candidates(report) + bytes(report) +
         alternatives(report) +
         (report.framework ? framework(*report.framework, report.documents) : "");
}

}  // namespace neardup
