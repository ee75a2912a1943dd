// What the benchmark programs share: options, timing, and rows as a table or as JSON.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::bench {

struct Options {
  bool json = false;            // one JSON object a row instead of a table
  std::uint32_t repeat = 7;     // timed repetitions
  std::uint32_t least_ms = 20;  // a repetition makes as many calls as fill this time
  std::string only;             // rows whose name contains this
  bool wants(std::string_view name) const { return name.find(only) != name.npos; }
};

// Exits after --help (0) or a wrong command line (64). `about` says what the program measures.
Options parse_options(int argc, char** argv, const char* about);

// Seconds for one call, of the CPU unless another clock is named.
struct Timing {
  double median = 0;
  double least = 0;
  double most = 0;
};

// CPU time of this thread: other processes on the machine disturb it less than the wall clock.
double thread_seconds();
// For calls that wait for others.
double wall_seconds();

// The upper one of the two in the middle of an even number. Requires: there are values.
double median(std::vector<double> values);

// Two calls to warm up, then the repetitions, all on this thread.
template <class Call>
Timing time_calls(const Options& options, Call call, double (*clock)() = thread_seconds) {
  const auto seconds = [&](std::uint64_t calls) {
    const double start = clock();
    for (std::uint64_t i = 0; i < calls; ++i) call();
    return clock() - start;
  };
  const double first = std::max(std::min(seconds(1), seconds(1)), 1e-9);
  const auto calls = static_cast<std::uint64_t>(options.least_ms / 1e3 / first) + 1;
  std::vector<double> times;
  for (std::uint32_t i = 0; i < options.repeat; ++i) {
    times.push_back(seconds(calls) / static_cast<double>(calls));
  }
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front(), times.back()};
}

// Rows of one program; all have the same columns. The name of a row is its text cells.
class Row {
 public:
  Row& text(std::string_view column, std::string_view value);
  Row& number(std::string_view column, double value, int decimals = 0);
  // `amount` per second: the median, and _min and _max.
  Row& rate(std::string_view column, double amount, const Timing& timing, int decimals = 0);
  void print(const Options& options) const;
  // Without --json a line for each column.
  void print_list(const Options& options) const;

 private:
  struct Cell {
    std::string column;
    std::string value;
    bool is_text;
  };
  std::vector<Cell> cells_;
};

}  // namespace neardup::bench
