#include "service/monitor/process_collector.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "storage/control_group.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

// Field `index` (from 0) after the name of the program in /proc/self/stat; see proc(5).
double stat_field(int index) {
  std::ifstream file("/proc/self/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  if (name_end == line.npos) return 0;
  std::istringstream fields(line.substr(name_end + 1));
  std::string field;
  for (int i = 0; i <= index; ++i) fields >> field;
  return std::stod(field.empty() ? "0" : field);
}

double boot_time() {
  std::ifstream file("/proc/stat");
  std::string word;
  while (file >> word) {
    double value = 0;
    if (word == "btime" && file >> value) return value;
  }
  return 0;
}

double start_time() {
  constexpr int kStartTicks = 19;
  return boot_time() + stat_field(kStartTicks) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double resident_bytes() {
  constexpr int kResidentPages = 21;
  return stat_field(kResidentPages) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double open_files() {
  std::error_code error;
  const fs::directory_iterator files("/proc/self/fd", error);
  if (error) return 0;
  return static_cast<double>(std::distance(begin(files), end(files)) -
                             1);  // without the one of this iterator
}

}  // namespace

std::uint64_t memory_limit() {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  const std::uint64_t machine = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return std::min(machine, ControlGroup().memory_bytes().value_or(machine));
}

void collect_process(Samples& samples) {
  samples.set(Metric::kCpuSeconds, cpu_seconds());
  samples.set(Metric::kResidentBytes, resident_bytes());
  samples.set(Metric::kStartTime, start_time());
  samples.set(Metric::kOpenFiles, open_files());
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    samples.set(Metric::kMostOpenFiles, static_cast<double>(files.rlim_cur));
  }
  samples.set(Metric::kMemoryLimit, static_cast<double>(memory_limit()));
}

}  // namespace neardup
