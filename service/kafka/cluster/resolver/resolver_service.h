// `neardup serve` as a resolver: the log of a cluster and the answers of its shards → flags and
// decisions.
//
// Of all resolvers of a cluster one leads: that which the group has given the log to. The others
// wait.
// Threads: that of `serve` reads and decides; one delivers batches; the monitor watches the lease.
// Durable: nothing is kept here. Flags, decisions and the offset of the log are one transaction.
// After a crash the next leader fences the last one, begins at its last transaction, and decides
// later records again, with the same result: no reader of committed records sees two decisions of
// one record.
// A stop ends deciding, and delivers the batches that are complete by then.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "metrics/registry.h"
#include "service/kafka/cluster/log_lease.h"
#include "service/kafka/cluster/resolver/resolver_leader.h"
#include "service/kafka/cluster/resolver/shard_waits.h"
#include "service/kafka/deliver/deliverer.h"
#include "service/kafka/deliver/delivery_thread.h"
#include "service/kafka/message/message_writer.h"
#include "service/serve/service_runner.h"

namespace neardup {

KafkaUse kafka_of_resolver(const Config& config);

class ResolverService : public Role {
 public:
  // `runner` must outlive this, and have clients of kafka_of_resolver.
  explicit ResolverService(ServiceRunner& runner);

  void start() override;
  void serve() override;
  void look(bool reachable) override;  // throws when another resolver has taken over
  std::optional<std::string> not_ready_reason() const override;
  std::string_view unfinished() const override {
    return "uncommitted records are decided again by the next leader";
  }

 private:
  void await_lease();
  void lead();
  ResolverStart begin();
  MessageWriter make_writer(const StoredBatch& batch) const;
  void deliver(const DecidedBatch& batch);

  ServiceRunner& runner_;
  const Config& config_;
  const Rule& rule_;
  Log& log_;
  KafkaClients& kafka_;
  std::atomic<bool> ready_{false};  // leads, or waits for the lease
  ShardWaits waits_;
  const std::unique_ptr<MetricRegistry::Attachment> shown_waits_;
  std::string cluster_;  // uuid
  LogLease lease_;
  MessageLimits limits_;
  Deliverer deliverer_;
  // Members, since closing a reader can hang: they are closed only after the outcome is reported.
  std::unique_ptr<DeliveryThread> thread_;
  std::unique_ptr<ResolverLeader> leader_;
};

}  // namespace neardup
