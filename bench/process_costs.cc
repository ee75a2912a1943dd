#include "bench/process_costs.h"

#include <sys/stat.h>
#include <time.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace neardup::bench {
namespace {

double clock_seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Of a file with lines "name: number …".
std::map<std::string, std::uint64_t> numbers(const char* path) {
  std::ifstream file(path);
  std::map<std::string, std::uint64_t> found;
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == line.npos) continue;
    found[line.substr(0, colon)] = std::strtoull(line.c_str() + colon + 1, nullptr, 10);
  }
  return found;
}

}  // namespace

ProcessCosts process_costs() {
  auto status = numbers("/proc/self/status");
  auto io = numbers("/proc/self/io");
  ProcessCosts costs;
  costs.seconds = clock_seconds(CLOCK_MONOTONIC);
  costs.cpu_seconds = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
  costs.rss_bytes = status["VmRSS"] * 1024;
  costs.peak_rss_bytes = status["VmHWM"] * 1024;
  costs.mapped_bytes = (status["RssFile"] + status["RssShmem"]) * 1024;
  costs.disk_read_bytes = io["read_bytes"];
  costs.disk_written_bytes = io["write_bytes"];
  return costs;
}

std::uint64_t disk_bytes(const std::string& directory) {
  std::uint64_t bytes = 0;
  std::error_code gone;  // files come and go meanwhile
  for (auto file = std::filesystem::recursive_directory_iterator(directory, gone);
       file != std::filesystem::recursive_directory_iterator(); file.increment(gone)) {
    struct stat info {};
    if (stat(file->path().c_str(), &info) == 0 && S_ISREG(info.st_mode))
      bytes += static_cast<std::uint64_t>(info.st_blocks) * 512;
  }
  return bytes;
}

}  // namespace neardup::bench
