#include "service/kafka/cluster/command/cluster_state.h"

#include <fmt/core.h>

#include <optional>

#include "pipeline/base/failure.h"
#include "pipeline/state_keys.h"
#include "service/kafka/store/chain.h"
#include "service/kafka/store/state_head.h"
#include "service/state/state_order.h"
#include "storage/identity.h"

namespace neardup {
namespace {

void require_delivered(Store& store, const StateHead& head) {
  if (!store.outbox(head.mark.batch)) return;
  throw Failure(Exit::kUnavailable,
                fmt::format("batches up to {} may not be delivered: the outbox of the state holds "
                            "them. Start its service once more and stop it with SIGTERM, which "
                            "empties it",
                            head.mark.batch));
}

// Positions mean nothing in another Kafka cluster.
void require_kafka_cluster(Store& store, const std::string& kafka_cluster) {
  const std::string layout = store.meta(kMetaLayout).value_or("");
  if (layout.empty() || layout.starts_with(fmt::format("cluster: {}\n", kafka_cluster))) return;
  throw Failure(Exit::kConfig,
                fmt::format("the state was made by a service of another Kafka cluster, and this "
                            "one is {}:\n{}Move the service first (docs/operations.md tells how)",
                            kafka_cluster, layout));
}

std::optional<LogState> stored_log_state(Store& store) {
  const auto bytes = store.meta(kMetaLogState);
  if (!bytes) return {};
  auto state = decode_log_state(*bytes);
  if (!state) {
    throw Failure(Exit::kIo, "the state is damaged: how far it has read a log cannot be read");
  }
  return state;
}

}  // namespace

ClusterBegin begin_with_state(Store& store, const Rule& rule, const Position& log,
                              const std::string& kafka_cluster, const std::string& log_id) {
  require_same_rule(store, rule);
  require_order_of_topics(store);
  require_kafka_cluster(store, kafka_cluster);
  const std::optional<StateHead> head = read_head(store);
  if (head) require_delivered(store, *head);
  std::optional<LogState> of_log = stored_log_state(store);
  const std::string old_id = head ? id_of(head->ids, log.partition.topic) : std::string();
  const bool same_log = old_id.empty() || log_id.empty() || old_id == log_id;
  const bool goes_on =
      head && of_log && same_log && head->positions.front().partition == log.partition;
  ClusterBegin begin;
  begin.uuid = goes_on ? head->mark.state : new_uuid();
  Decided& first = begin.first;
  first.rule = rule_fingerprint(rule_text(rule));
  first.first = first.next = static_cast<Seq>(meta_number(store, kMetaNextSeq, 1));
  first.offset = goes_on ? head->positions.front().offset : log.offset;
  if (of_log) {
    first.log = *std::move(of_log);
    if (!goes_on) first.log.epoch = 0;
  } else if (head) {
    first.log.positions = head->positions;
  }
  first.log.next_seq = first.next;
  first.began_ms = meta_number(store, kMetaStreamBegan, 0);
  first.stream_ms = meta_number(store, kMetaStreamTime, 0);
  first.watermark = static_cast<Seq>(meta_number(store, kMetaExpiredBefore, 0));
  first.chain = head ? head->mark.chain : Chain().digits();
  return begin;
}

void make_decider_state(Store& store, const ClusterBegin& begin, const Position& log,
                        const std::string& layout) {
  const Decided& first = begin.first;
  WriteSet writes;
  writes.meta.emplace_back(kMetaLayout, layout);
  writes.meta.emplace_back(kMetaPositions, encode_positions({{log.partition, first.offset}}));
  writes.meta.emplace_back(kMetaTopicIds, "");  // the next start takes those that there are
  writes.meta.emplace_back(kMetaMark, encode_mark({begin.uuid, 0, first.chain, first.next}));
  writes.meta.emplace_back(kMetaLogState, encode_log_state(first.log));
  store.commit(writes);
}

}  // namespace neardup
