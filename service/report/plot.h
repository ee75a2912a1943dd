// A small line chart as SVG.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace neardup {

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

}  // namespace neardup
