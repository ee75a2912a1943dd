// What this process has taken so far, as the kernel counts it.
#pragma once

#include <cstdint>
#include <string>

namespace neardup::bench {

struct ProcessCosts {
  double seconds = 0;      // of a steady clock
  double cpu_seconds = 0;  // all threads, user and system
  std::uint64_t rss_bytes = 0;
  std::uint64_t peak_rss_bytes = 0;
  std::uint64_t mapped_bytes = 0;  // the part of rss_bytes that is pages of files
  std::uint64_t disk_read_bytes = 0;
  std::uint64_t disk_written_bytes = 0;
};
ProcessCosts process_costs();

// Blocks that the files under a directory occupy.
std::uint64_t disk_bytes(const std::string& directory);

}  // namespace neardup::bench
