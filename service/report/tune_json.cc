#include "pipeline/base/json_object.h"
#include "service/report/tune_report.h"

namespace neardup {
namespace {

JsonObject row(std::string_view about) { return JsonObject().text("row", about); }

std::string choice_fields(const TuneReport& report) {
  const SketchPlan& plan = report.rule.plan;
  return row("choice")
             .number("threshold", report.rule.decision.threshold / 1e6)
             .number("bands", plan.bands)
             .number("rows", plan.rows)
             .boolean("solved", report.solved)
             .number("wanted_recall", report.wanted_recall)
             .number("recall", report.recall)
             .number("expected_recall", report.even.recall)
             .number("expected_precision", report.even.precision)
             .str() +
         '\n';
}

std::string curve_rows(const TuneReport& report) {
  std::string out;
  for (const CurvePoint& point : report.curve) {
    out += row("curve")
               .number("jaccard", point.jaccard)
               .number("meets", point.meets)
               .number("reaches", point.reaches)
               .number("flagged", point.flagged)
               .str() +
           '\n';
  }
  return out;
}

std::string candidate_fields(const TuneReport& report) {
  const SketchPlan& plan = report.rule.plan;
  std::string out = row("unrelated")
                        .number("documents", report.documents)
                        .number("candidates", report.chance_meetings)
                        .str() +
                    '\n';
  for (const double jaccard : kCandidateSimilarities) {
    out += row("candidates")
               .number("jaccard", jaccard)
               .number("of_1000",
                       1000 * meeting_chance(jaccard, plan.sketch.bits, {plan.bands, plan.rows}))
               .str() +
           '\n';
  }
  return out;
}

std::string byte_fields(const TuneReport& report) {
  std::string out;
  const auto add = [&](std::string_view part, double DocumentBytes::*member) {
    out += row("bytes")
               .text("part", part)
               .number("encoded", report.encoded.*member)
               .number("disk", report.on_disk.*member)
               .str() +
           '\n';
  };
  add("sketch", &DocumentBytes::sketch);
  add("one_bit", &DocumentBytes::one_bit);
  add("postings", &DocumentBytes::postings);
  add("row", &DocumentBytes::row);
  add("id", &DocumentBytes::id);
  add("text", &DocumentBytes::text);
  return out;
}

std::string alternative_fields(const TuneReport& report) {
  std::string out;
  for (const Alternative& other : report.alternatives) {
    out += row("alternative")
               .number("bands", other.bands.bands)
               .number("rows", other.bands.rows)
               .number("recall", other.recall)
               .number("boilerplate_of_1000", other.boilerplate_per_1000)
               .number("postings", postings_of(other.bands.bands))
               .boolean("chosen", other.chosen)
               .str() +
           '\n';
  }
  return out;
}

std::string framework(const FrameworkReport& report) {
  std::string out;
  for (const FrameworkRow& choice : report.rows) {
    out += row("framework")
               .text("choice", choice.name)
               .number("j1", report.j1)
               .number("j2", report.j2)
               .number("rho", report.rho)
               .number("rows", choice.choice.rows)
               .number("tables", choice.choice.tables)
               .number("found", choice.found)
               .number("strangers", choice.strangers)
               .str() +
           '\n';
  }
  return out;
}

}  // namespace

std::string tune_json(const TuneReport& report) {
  return choice_fields(report) + curve_rows(report) + candidate_fields(report) +
         byte_fields(report) + alternative_fields(report) +
         (report.framework ? framework(*report.framework) : "");
}

}  // namespace neardup
