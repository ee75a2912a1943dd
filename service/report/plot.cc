#include <fmt/core.h>

#include "service/report/tune_report.h"

namespace neardup {
namespace {

constexpr double kWidth = 720;
constexpr double kHeight = 480;
constexpr double kLeft = 70;
constexpr double kRight = 20;
constexpr double kTop = 50;
constexpr double kBottom = 60;
constexpr double kLegendLine = 20;

double x_at(double x) { return kLeft + x * (kWidth - kLeft - kRight); }
double y_at(double y) { return kHeight - kBottom - y * (kHeight - kTop - kBottom); }

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string line(double x1, double y1, double x2, double y2, std::string_view style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1,
                     x2, y2, style);
}

std::string text(double x, double y, std::string_view style, const std::string& words) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, style, escaped(words));
}

std::string grid() {
  std::string out;
  for (int i = 0; i <= 10; ++i) {
    const double at = i / 10.0;
    const std::string_view style = i == 0 ? "stroke=\"#333\"" : "stroke=\"#ddd\"";
    out += line(x_at(at), y_at(0), x_at(at), y_at(1), style);
    out += line(x_at(0), y_at(at), x_at(1), y_at(at), style);
    out += text(x_at(at), y_at(0) + 18, "text-anchor=\"middle\"", fmt::format("{:.1f}", at));
    out += text(x_at(0) - 8, y_at(at) + 4, "text-anchor=\"end\"", fmt::format("{:.1f}", at));
  }
  return out;
}

std::string titles(const Plot& plot) {
  const double middle = y_at(0.5);
  return text(x_at(0.5), kTop - 24, "text-anchor=\"middle\" font-size=\"16\"", plot.title) +
         text(x_at(0.5), kHeight - 16, "text-anchor=\"middle\"", plot.x_label) +
         text(20, middle,
              fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 20 {:.1f})\"", middle),
              plot.y_label);
}

std::string curve(const PlotLine& line) {
  std::string points;
  for (const auto& [x, y] : line.points) {
    points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x_at(x), y_at(y));
  }
  return fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2\" points=\"{}\"/>\n",
                     line.colour, points);
}

std::string legend(const std::vector<PlotLine>& lines) {
  std::string out;
  double y = kTop + 20;
  for (const PlotLine& entry : lines) {
    out += line(kLeft + 16, y, kLeft + 44, y,
                fmt::format("stroke=\"{}\" stroke-width=\"2\"", entry.colour));
    out += text(kLeft + 52, y + 4, "", entry.label);
    y += kLegendLine;
  }
  return out;
}

std::string mark(const Plot& plot) {
  // The label is on the side with more room.
  const bool left = plot.mark > 0.5;
  return line(x_at(plot.mark), y_at(0), x_at(plot.mark), y_at(1),
              "stroke=\"#888\" stroke-dasharray=\"6 4\"") +
         text(x_at(plot.mark) + (left ? -6 : 6), kTop - 6,
              left ? "text-anchor=\"end\"" : "text-anchor=\"start\"", plot.mark_label);
}

}  // namespace

std::string svg(const Plot& plot) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#333\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      kWidth, kHeight);
  out += grid() + titles(plot) + mark(plot);
  for (const PlotLine& line : plot.lines) out += curve(line);
  return out + legend(plot.lines) + "</svg>\n";
}

}  // namespace neardup
