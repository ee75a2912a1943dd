// The CPU and memory limits of this process: those of its control group (version 1 or 2, as a
// container sets them) and of the scheduler.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace neardup {

class ControlGroup {
 public:
  // `root` is put before /proc/self/cgroup and /sys/fs/cgroup, for tests.
  explicit ControlGroup(std::string root = {}) : root_(std::move(root)) {}

  // The smallest limit of the group and its ancestors; nothing without a limit.
  std::optional<std::uint64_t> memory_bytes() const;
  std::optional<double> cpus() const;  // quota / period, such as 1.5

 private:
  std::string root_;
};

// The number of threads to plan for, at least 1: the cores that the scheduler gives this process,
// but no more than the quota of its group, rounded up. A group whose threads exceed its quota is
// throttled for the rest of each period.
unsigned usable_cores(const ControlGroup& group = ControlGroup());

// cpu.threads: `wanted`, or a thread a core for 0.
inline unsigned thread_count(unsigned wanted) { return wanted == 0 ? usable_cores() : wanted; }

}  // namespace neardup
