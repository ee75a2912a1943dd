#include <fmt/core.h>

#include "service/report/tune_report.h"

namespace neardup {

Plot tune_plot(const TuneReport& report) {
  const Rule& rule = report.rule;
  const double threshold = rule.decision.threshold / 1e6;
  Plot plot{fmt::format("{} bands × {} rows of {} bits", rule.plan.bands, rule.plan.rows,
                        rule.plan.sketch.bits),
            "Jaccard similarity of a pair",
            "chance",
            {{"meets in a bucket", "#1f77b4", {}}, {"is flagged", "#d62728", {}}},
            threshold,
            fmt::format("threshold {:g}", threshold)};
  for (const CurvePoint& point : report.curve) {
    plot.lines[0].points.emplace_back(point.jaccard, point.meets);
    plot.lines[1].points.emplace_back(point.jaccard, point.flagged);
  }
  return plot;
}

}  // namespace neardup
