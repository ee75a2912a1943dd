#include "service/process_samples.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace neardup {
namespace {

namespace fs = std::filesystem;

constexpr const char* kControlGroups = "/sys/fs/cgroup";

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

// Field `index` (from 0) behind the name of the program in /proc/self/stat; see proc(5).
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
                             1);  // but the one that looks
}

// The number in a file, or `otherwise`: "max" and a missing file mean no limit.
std::uint64_t limit_in(const fs::path& file, std::uint64_t otherwise) {
  std::ifstream stream(file);
  std::uint64_t value = 0;
  return stream >> value ? value : otherwise;
}

// The path of the unified group (version 2), or of the memory controller (version 1).
fs::path group_of(const std::string& controller) {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == line.npos) continue;
    if (line.substr(first + 1, second - first - 1) == controller) return line.substr(second + 1);
  }
  return "/";
}

// Every group up to the root limits its members. In a container the path may be the host's: then
// what is mounted at the top is ours.
std::uint64_t group_limit(fs::path group, const fs::path& top, const char* file,
                          std::uint64_t limit) {
  for (; group.has_relative_path(); group = group.parent_path()) {
    limit = std::min(limit, limit_in(top / group.relative_path() / file, limit));
  }
  return std::min(limit, limit_in(top / file, limit));
}

}  // namespace

std::uint64_t memory_limit() {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  std::uint64_t limit = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const fs::path top(kControlGroups);
  limit = group_limit(group_of(""), top, "memory.max", limit);
  return group_limit(group_of("memory"), top / "memory", "memory.limit_in_bytes", limit);
}

void sample_process(Samples& samples) {
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
