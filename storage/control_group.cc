#include "storage/control_group.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string_view>
#include <thread>

namespace neardup {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMounted = "/sys/fs/cgroup";

// Is `name` one of the words between commas?
bool lists(std::string_view words, std::string_view name) {
  while (true) {
    const std::size_t comma = words.find(',');
    if (words.substr(0, comma) == name) return true;
    if (comma == words.npos) return false;
    words.remove_prefix(comma + 1);
  }
}

// The path of the unified group (version 2: no controller), or of a controller's (version 1).
fs::path group_of(const std::string& root, std::string_view controller) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string_view names = std::string_view(line).substr(first + 1, second - first - 1);
    if (lists(names, controller)) return line.substr(second + 1);
  }
  return "/";
}

std::optional<double> smaller(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

using ReadLimit = std::function<std::optional<double>(const fs::path& directory)>;

// The smallest limit of a group and its ancestors. In a container the path may be that of the host,
// and the group of the process is then mounted at `top`.
std::optional<double> limit_of(fs::path group, const fs::path& top, const ReadLimit& read) {
  std::optional<double> limit = read(top);
  for (; group.has_relative_path(); group = group.parent_path()) {
    limit = smaller(limit, read(top / group.relative_path()));
  }
  return limit;
}

// The number at the start of the file; nothing for "max" and a missing file, which mean no limit.
std::optional<double> number_in(const fs::path& file) {
  std::ifstream stream(file);
  double value = 0;
  if (!(stream >> value)) return {};
  return value;
}

// Version 2: "QUOTA PERIOD" or "max PERIOD".
std::optional<double> read_cpu_max(const fs::path& directory) {
  std::ifstream stream(directory / "cpu.max");
  double quota = 0;
  double period = 0;
  if (!(stream >> quota >> period) || quota <= 0 || period <= 0) return {};
  return quota / period;
}

// Version 1: a quota of −1 is none.
std::optional<double> read_cfs_quota(const fs::path& directory) {
  const auto quota = number_in(directory / "cpu.cfs_quota_us");
  const auto period = number_in(directory / "cpu.cfs_period_us");
  if (!quota || !period || *quota <= 0 || *period <= 0) return {};
  return *quota / *period;
}

unsigned scheduled_cores() {
  cpu_set_t set;
  // std::thread counts all online cores (glibc 2.36), not those of the process's cpuset.
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    return static_cast<unsigned>(CPU_COUNT(&set));
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace

std::optional<std::uint64_t> ControlGroup::memory_bytes() const {
  const auto read = [](const char* file) {
    return [file](const fs::path& directory) { return number_in(directory / file); };
  };
  const fs::path top(root_ + kMounted);
  const auto limit =
      smaller(limit_of(group_of(root_, ""), top, read("memory.max")),
              limit_of(group_of(root_, "memory"), top / "memory", read("memory.limit_in_bytes")));
  if (!limit) return {};
  return static_cast<std::uint64_t>(*limit);
}

std::optional<double> ControlGroup::cpus() const {
  const fs::path top(root_ + kMounted);
  auto limit = limit_of(group_of(root_, ""), top, read_cpu_max);
  for (const char* mount : {"cpu", "cpu,cpuacct"}) {
    limit = smaller(limit, limit_of(group_of(root_, "cpu"), top / mount, read_cfs_quota));
  }
  return limit;
}

unsigned usable_cores(const ControlGroup& group) {
  const unsigned cores = scheduled_cores();
  const auto quota = group.cpus();
  if (!quota || *quota >= cores) return cores;
  return std::max(1u, static_cast<unsigned>(std::ceil(*quota)));
}

}  // namespace neardup
