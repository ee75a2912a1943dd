// Parts of the decider of a cluster that a service of one process lacks: the head of its cluster,
// the log as its source, and the lease of the log, whose holder leads.
#pragma once

#include <memory>
#include <string>

#include "config/config.h"
#include "metrics/kafka_probe.h"
#include "pipeline/ports.h"
#include "pipeline/rule/rule.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/cluster/log/log_recovery.h"
#include "service/kafka/cluster/log_lease.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/kafka_source.h"
#include "service/kafka/store/delivered.h"
#include "service/log/log.h"
#include "service/monitor/watchdog.h"
#include "storage/store.h"

namespace neardup {

class DeciderLog {
 public:
  // The references must outlive this, and the sources that it makes.
  DeciderLog(const Config& config, const Rule& rule, const Consumer& consumer, RetryPolicy& retry,
             StageWatch& watch, KafkaProbe& probe, Log& log);

  // Reads the head of the cluster and checks its topics. Throws as read_cluster_head and
  // check_cluster do.
  void open();
  const std::string& cluster() const { return head_.uuid; }
  LogRecoveryOptions recovery(const std::string& layout, bool trust_state) const;

  // Asks for the lease from now on.
  void join() { lease_.join(); }
  // From now on, `lost_lease` is true once another decider leads.
  void lead() { lease_.lead(head_.uuid); }
  void check_lease() { lease_.check(); }
  bool lost_lease() const { return lease_.lost(); }

  // The records of the log. `messages` begin where `store` stands.
  std::unique_ptr<Source> read(std::unique_ptr<KafkaSource> messages, Store& store);
  // Batches that another decider has delivered, until this one acquires the lease. `messages` begin
  // at `start`.
  std::unique_ptr<Source> follow(std::unique_ptr<KafkaSource> messages, const Position& start,
                                 Store& store);
  // The places up to which the other decider has delivered, as `follow` finds them.
  DeliveredMarks& delivered() { return delivered_; }

 private:
  const Config& config_;
  const Rule& rule_;
  const Consumer& consumer_;
  RetryPolicy& retry_;
  StageWatch& watch_;
  KafkaProbe& probe_;
  Log& log_;
  ClusterHead head_;
  DeliveredMarks delivered_;
  LogLease lease_;
};

}  // namespace neardup
