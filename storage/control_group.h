// What this process may use of the machine: limits of its control group (version 1 or 2, as a
// container sets them) and of the scheduler.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace neardup {

class ControlGroup {
 public:
  // `root` stands before /proc/self/cgroup and /sys/fs/cgroup; tests name a directory of theirs.
  explicit ControlGroup(std::string root = {}) : root_(std::move(root)) {}

  // The smallest limit of the group and of those that it lies in; nothing without a limit.
  std::optional<std::uint64_t> memory_bytes() const;
  std::optional<double> cpus() const;  // quota / period, such as 1.5

 private:
  std::string root_;
};

// Cores to plan threads for, 1 or more: those that the scheduler gives this process, and no more
// than the quota of its group, rounded up. With more threads than its quota a group is stopped for
// the rest of each period.
unsigned usable_cores(const ControlGroup& group = ControlGroup());

}  // namespace neardup
