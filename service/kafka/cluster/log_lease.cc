#include "service/kafka/cluster/log_lease.h"

#include <fmt/format.h>

#include "pipeline/base/failure.h"

namespace neardup {

void LogLease::join() {
  const GroupMemberOptions group{config_.cluster.lease_group(), {config_.cluster.log_topic()}};
  member_ = std::make_unique<GroupMember>(config_.kafka, group, log_);
}

bool LogLease::holds() {
  const Membership membership = member_->now();
  member_->finished(membership.generation);
  return !membership.partitions.empty();
}

void LogLease::lead(const std::string& cluster) {
  leads_ = true;
  log_.info("leading", {{"cluster", cluster}});
}

void LogLease::check() {
  if (leads_ && !holds()) lost_ = true;
}

void LogLease::require() const {
  if (!lost_) return;
  throw Failure(Exit::kUnavailable,
                fmt::format("lost the log lease to another {}; shutting down, no data is lost",
                            name(config_.cluster.role)));
}

}  // namespace neardup
