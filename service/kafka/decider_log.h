// Parts of the decider of a cluster that a service of one process lacks: the head of its cluster,
// the log as its source, and the lease of the log, whose holder leads.
#pragma once

#include <memory>
#include <string>

#include "pipeline/ports.h"
#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/cluster/log/log_recovery.h"
#include "service/kafka/cluster/log_lease.h"
#include "service/kafka/read/kafka_source.h"
#include "service/kafka/store/delivered.h"
#include "service/serve/service_runner.h"
#include "storage/store.h"

namespace neardup {

class DeciderLog {
 public:
  // `runner` must outlive this, and the sources that it makes.
  explicit DeciderLog(ServiceRunner& runner);

  // Reads the head of the cluster and checks its topics. Throws as read_cluster_head and
  // check_cluster do.
  void open();
  const std::string& cluster() const { return head_.uuid; }
  LogRecoveryOptions recovery(const std::string& layout, bool trust_state) const;

  // Asks for the lease from now on.
  void join() { lease_.join(); }
  // From now on, `lease().lost()` is true once another decider leads.
  void lead() { lease_.lead(head_.uuid); }
  LogLease& lease() { return lease_; }

  // The records of the log. `messages` begin where `store` stands.
  std::unique_ptr<Source> read(std::unique_ptr<KafkaSource> messages, Store& store);
  // Batches that another decider has delivered, until this one acquires the lease. `messages` begin
  // at `start`.
  std::unique_ptr<Source> follow(std::unique_ptr<KafkaSource> messages, const Position& start,
                                 Store& store);
  // The places up to which the other decider has delivered, as `follow` finds them.
  DeliveredMarks& delivered() { return delivered_; }

 private:
  ServiceRunner& runner_;
  const ServiceContext& context_;
  KafkaClients& kafka_;
  ClusterHead head_;
  DeliveredMarks delivered_;
  LogLease lease_;
};

}  // namespace neardup
