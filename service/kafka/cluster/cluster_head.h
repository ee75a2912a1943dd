// The identity of a cluster and how far it has decided, from the topic of decisions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "config/service_options.h"
#include "pipeline/rule/rule.h"
#include "service/cluster/decided.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/read/consumer.h"

namespace neardup {

struct ClusterHead {
  std::string uuid;
  Decided first;             // where the cluster began
  Decided last;              // as of the last committed batch
  std::int64_t low = 0;      // where the topic begins; not 0: `first` may be a later one
  std::int64_t begin = 0;    // offset of the topic behind `first`
  std::int64_t end = 0;      // behind `last`
  std::int64_t made_ms = 0;  // when `first` was written
};

// Waits for brokers. Nothing when the topic is missing or empty. Throws Failure(kUnavailable) when
// it has messages that are damaged, of several clusters or of a newer format, and Stopped.
std::optional<ClusterHead> find_cluster_head(const Consumer& consumer,
                                             const ClusterOptions& options, RetryPolicy& retry);

// The first batch that was decided under the placement `epoch` or a later one, and the one before
// it. Nothing when the topic does not hold both.
struct EpochChange {
  Decided before;
  Decided after;
};
std::optional<EpochChange> find_epoch(const Consumer& consumer, const ClusterOptions& options,
                                      const ClusterHead& head, std::uint64_t epoch,
                                      RetryPolicy& retry);

// An offset of the topic from which a reader comes first to the first message for which `is_there`
// holds. Requires: it holds for the last one, and for all behind one for which it holds.
std::int64_t find_decided(const Consumer& consumer, const ClusterOptions& options,
                          const ClusterHead& head,
                          const std::function<bool(const Decided&)>& is_there, RetryPolicy& retry);

// As find_cluster_head. Throws Failure(kConfig) when there is no such cluster or it has another
// rule.
ClusterHead read_cluster_head(const Consumer& consumer, const ClusterOptions& options,
                              const Rule& rule, RetryPolicy& retry);

// Throws Failure(kConfig) with both fingerprints when the cluster has another rule.
void require_rule_of_cluster(const ClusterHead& head, const Rule& rule);

// Decodes a message of the topic of decisions. `cluster`: the uuid that it must be of. Throws
// Failure(kUnavailable) that says where it is and what is wrong with it.
Decided read_decided(const rd_kafka_message_t& message, std::string_view cluster);

// The ids of topics that a state knows, which holds positions of them. None where the topic of
// decisions is another cluster's than the state by now: that is refused for itself.
TopicIds ids_of_state(const std::optional<StateHead>& state, const Consumer& consumer,
                      const ClusterOptions& options, RetryPolicy& retry);

}  // namespace neardup
