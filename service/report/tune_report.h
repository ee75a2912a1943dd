// The results of `tune`, and their output as text, JSON and a plot; with --similar, what the
// engines of a search find.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/rule/tuning.h"
#include "pipeline/search/reach.h"
#include "service/report/state_size.h"

namespace neardup {

// A small line chart as SVG (plot.cc).
struct PlotLine {
  std::string label;
  std::string colour;  // as SVG names it
  std::vector<std::pair<double, double>> points;
};

// Both axes run from 0 to 1. Texts may hold any valid UTF-8.
struct Plot {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<PlotLine> lines;  // the legend names them in this order
  double mark = 0;              // a dashed vertical line here
  std::string mark_label;
};

// A whole SVG document of 720 × 480.
std::string svg(const Plot& plot);

// One way to choose rows and tables, judged at j1 and j2.
struct FrameworkRow {
  std::string_view name;
  FrameworkChoice choice;
  double found = 0;      // chance to meet at j1
  double strangers = 0;  // candidates per look-up, if all documents have similarity j2
};

struct FrameworkReport {
  double j1 = 0;
  double j2 = 0;
  double rho = 0;
  std::vector<FrameworkRow> rows;
};

struct Alternative {
  Bands bands;
  double recall = 0;                // at the threshold
  double boilerplate_per_1000 = 0;  // candidates among 1 000 documents at J = 0.2
  bool chosen = false;
};

struct TuneReport {
  Rule rule;
  double wanted_recall = 0;
  bool solved = false;  // bands and rows were solved, not given
  std::uint64_t documents = 0;
  std::uint32_t least_rows = 0;   // for `documents`
  double recall = 0;              // chance to meet at the threshold
  std::vector<CurvePoint> curve;  // J = 0, 0.01 … 1
  Quality even;                   // if similarities of pairs lay evenly from 0 to 1
  double chance_meetings = 0;     // unrelated candidates of one document
  DocumentBytes encoded;
  DocumentBytes on_disk;
  std::vector<Alternative> alternatives;
  std::optional<FrameworkReport> framework;
};

inline constexpr std::array<double, 4> kCandidateSimilarities{0.1, 0.2, 0.3, 0.5};

// Several paragraphs.
std::string tune_text(const TuneReport& report);

// One JSON object per line; its field "row" is its kind.
std::string tune_json(const TuneReport& report);

Plot tune_plot(const TuneReport& report);

// `neardup tune --similar`.
struct ReachReport {
  SearchCase search;
  std::vector<double> similarities;
  std::vector<EngineReach> engines;
};

// For the similarities 0.9, 0.8 … 0.2.
ReachReport make_reach_report(const SearchCase& search);

std::string reach_text(const ReachReport& report);
std::string reach_json(const ReachReport& report);

}  // namespace neardup
