#include "bench/runner.h"

#include <fmt/format.h>
#include <time.h>

#include <CLI/CLI.hpp>
#include <cstdio>

namespace neardup::bench {

Options parse_options(int argc, char** argv, const char* about) {
  Options options;
  CLI::App app(about);
  app.add_flag("--json", options.json, "one JSON object a row on stdout");
  app.add_option("--repeat", options.repeat, "timed repetitions")->check(CLI::PositiveNumber);
  app.add_option("--least-ms", options.least_ms, "least time of a repetition");
  app.add_option("--only", options.only, "only rows whose name contains this");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : 64);
  }
  return options;
}

namespace {

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

double thread_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }
double wall_seconds() { return seconds_of(CLOCK_MONOTONIC); }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Row& Row::text(std::string_view column, std::string_view value) {
  cells_.push_back({std::string(column), std::string(value), true});
  return *this;
}

Row& Row::number(std::string_view column, double value, int decimals) {
  cells_.push_back({std::string(column), fmt::format("{:.{}f}", value, decimals), false});
  return *this;
}

Row& Row::rate(std::string_view column, double amount, const Timing& timing, int decimals) {
  number(column, amount / timing.median, decimals);
  number(fmt::format("{}_min", column), amount / timing.most, decimals);
  return number(fmt::format("{}_max", column), amount / timing.least, decimals);
}

void Row::print(const Options& options) const {
  static bool headed = false;
  std::string line, head;
  for (const Cell& cell : cells_) {
    if (options.json) {
      const char* quote = cell.is_text ? "\"" : "";
      line += fmt::format("{}\"{}\":{}{}{}", line.empty() ? "{" : ",", cell.column, quote,
                          cell.value, quote);
    } else {
      const std::size_t width = std::max<std::size_t>(cell.column.size(), 10);
      line += cell.is_text ? fmt::format("{:<20}", cell.value)
                           : fmt::format(" {:>{}}", cell.value, width);
      head += cell.is_text ? fmt::format("{:<20}", cell.column)
                           : fmt::format(" {:>{}}", cell.column, width);
    }
  }
  if (!options.json && !headed) fmt::print("{}\n", head);
  headed = true;
  fmt::print("{}{}\n", line, options.json ? "}" : "");
  std::fflush(stdout);
}

void Row::print_list(const Options& options) const {
  if (options.json) return print(options);
  fmt::print("\n");
  for (const Cell& cell : cells_) fmt::print("{:<28} {}\n", cell.column, cell.value);
  std::fflush(stdout);
}

}  // namespace neardup::bench
