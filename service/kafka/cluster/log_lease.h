// The lease of a cluster's log: a group gives its one partition to one process at a time, which
// leads.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "config/config.h"
#include "service/kafka/cluster/group_member.h"
#include "service/log/log.h"

namespace neardup {

class LogLease {
 public:
  // The references must outlive this.
  LogLease(const Config& config, Log& log) : config_(config), log_(log) {}

  // Asks for the lease from now on. Throws Failure(kConfig).
  void join();
  // Requires: has joined. Throws Failure(kConfig) when the brokers refuse the member.
  bool holds();

  // From now on, `lost` is true once `check` finds that another process has the lease. `cluster`:
  // its uuid, for the log.
  void lead(const std::string& cluster);
  // To be called often.
  void check();
  bool lost() const { return lost_; }
  // Throws Failure(kUnavailable) once it is lost.
  void require() const;

 private:
  const Config& config_;
  Log& log_;
  std::unique_ptr<GroupMember> member_;
  std::atomic<bool> leads_{false};
  std::atomic<bool> lost_{false};
};

}  // namespace neardup
