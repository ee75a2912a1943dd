#include <fmt/core.h>

#include <cmath>
#include <fstream>

#include "pipeline/base/failure.h"
#include "pipeline/search/similar.h"
#include "service/cli/option_values.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/report/tune_report.h"
#include "service/state/settings.h"

namespace neardup {
namespace {

constexpr unsigned kCurveSteps = 100;
constexpr std::uint32_t kRowsAround = 5;
constexpr double kBoilerplateJaccard = 0.2;

std::vector<Alternative> alternatives_of(const Rule& rule, double recall,
                                         std::uint32_t least_rows) {
  const std::uint32_t bits = rule.plan.sketch.bits;
  std::vector<Alternative> found;
  for (const Bands& bands : alternatives(rule, recall, least_rows, kRowsAround)) {
    found.push_back({bands, meeting_chance(rule.decision.threshold / 1e6, bits, bands),
                     1000 * meeting_chance(kBoilerplateJaccard, bits, bands),
                     bands == Bands{rule.plan.bands, rule.plan.rows}});
  }
  return found;
}

FrameworkReport framework_of(const Rule& rule, double j1, double j2, std::uint64_t documents) {
  const auto row = [&](std::string_view name, const FrameworkChoice& choice, double p1, double p2) {
    const double met =
        std::pow(p2, static_cast<double>(choice.rows)) * static_cast<double>(choice.tables);
    return FrameworkRow{name, choice, found_chance(choice, p1),
                        static_cast<double>(documents) * met};
  };
  const std::uint32_t bits = rule.plan.sketch.bits;
  return {j1,
          j2,
          framework_rho(j1, j2),
          {row("framework", framework_choice(j1, j2, documents), j1, j2),
           row("lowered k, 4 sketches of 16 bits", lowered_choice(j1, j2, documents, 4), j1, j2),
           row("lowered k, 8 sketches of 8 bits", lowered_choice(j1, j2, documents, 8), j1, j2),
           row("ours", {rule.plan.rows, rule.plan.bands}, value_collision(j1, bits),
               value_collision(j2, bits))}};
}

std::optional<FrameworkReport> wanted_framework(const CommandLine& line, const Rule& rule,
                                                std::uint64_t documents) {
  const auto j1 = fraction(line, "--j1");
  const auto j2 = fraction(line, "--j2");
  if (!j1 && !j2) return std::nullopt;
  if (!j1 || !j2) throw Failure(Exit::kUsage, "--j1 and --j2 belong together");
  if (*j1 <= *j2) {
    throw Failure(Exit::kUsage,
                  fmt::format("--j1: {} must be larger than --j2, which is {}", *j1, *j2));
  }
  return framework_of(rule, *j1, *j2, documents);
}

TuneReport make_report(const CommandLine& line, const Config& config) {
  TuneReport report;
  report.rule = make_rule(config);
  const SketchPlan& plan = report.rule.plan;
  const Bands bands{plan.bands, plan.rows};
  const Ppm threshold = report.rule.decision.threshold;
  report.wanted_recall = config.lsh.recall / 1e6;
  report.solved = config.lsh.bands == 0;
  report.documents =
      whole_number(line, "--documents", 2).value_or(config.storage.expected_documents);
  report.least_rows = smallest_rows(plan.sketch.bits, report.documents);
  report.recall = meeting_chance(threshold / 1e6, plan.sketch.bits, bands);
  report.framework = wanted_framework(line, report.rule, report.documents);
  report.curve = curve(report.rule, kCurveSteps);
  report.even = even_quality(report.curve, threshold);
  report.chance_meetings = chance_meetings(bands, plan.sketch.bits, report.documents);
  report.encoded = encoded_bytes(report.rule, config.storage.keep_texts != KeepTexts::kNone, {});
  report.on_disk = disk_bytes(report.encoded);
  report.alternatives = alternatives_of(report.rule, report.wanted_recall, report.least_rows);
  return report;
}

void write_file(const std::string& path, const std::string& content) {
  std::ofstream out(path, std::ios::binary);
  out << content;
  out.close();
  if (!out)
    throw Failure(Exit::kIo,
                  fmt::format("{}: cannot be written; check the path and the space left", path));
}

ReachReport reach_of(const CommandLine& line, const Config& config) {
  for (const char* option : {"--plot", "--j1", "--j2"}) {
    if (line.has(option)) {
      throw Failure(Exit::kUsage, fmt::format("{} and --similar do not go together", option));
    }
  }
  SearchCase search;
  search.shape = make_rule(config).plan.shape();
  search.documents =
      whole_number(line, "--documents", 2).value_or(config.storage.expected_documents);
  search.candidates = config.search.candidates;
  search.keywords = config.search.keywords;
  search.min_similarity = SimilarOptions().min_similarity;
  return make_reach_report(search);
}

}  // namespace

int run_tune(const CommandLine& line) {
  const Config config = load_configuration(line, ConfigUse::kTemporaryState);
  if (line.has("--similar")) {
    const ReachReport reach = reach_of(line, config);
    fmt::print("{}", line.has("--json") ? reach_json(reach) : reach_text(reach));
    return 0;
  }
  const TuneReport report = make_report(line, config);
  fmt::print("{}", line.has("--json") ? tune_json(report) : tune_text(report));
  if (const auto path = line.one("--plot")) write_file(*path, svg(tune_plot(report)));
  return 0;
}

}  // namespace neardup
