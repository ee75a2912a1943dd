#include "service/kafka/cluster/log_lease.h"

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

}  // namespace neardup
