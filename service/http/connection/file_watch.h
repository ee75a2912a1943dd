// Files that are read again when they change.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace neardup {

// Used by one thread.
class FileWatch {
 public:
  FileWatch() = default;
  explicit FileWatch(std::vector<std::string> paths) : paths_(std::move(paths)) {}

  // Has one of the files changed since the last call? True the first time. Looks at most once a
  // second, and in between returns false.
  bool changed();

 private:
  using Clock = std::chrono::steady_clock;
  using Version = std::tuple<std::uint64_t, std::int64_t, std::int64_t>;  // inode, time, size

  static Version version_of(const std::string& path);

  std::vector<std::string> paths_;
  std::vector<Version> versions_;
  Clock::time_point looked_{};
};

}  // namespace neardup
