#include "service/kafka/cluster/command/cluster_init.h"

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "pipeline/base/failure.h"
#include "pipeline/base/quantities.h"
#include "pipeline/rule/rule.h"
#include "pipeline/state_keys.h"
#include "service/cluster/decided.h"
#include "service/kafka/cluster/cluster_checks.h"
#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/read/reading.h"
#include "service/kafka/read/topic_watch.h"
#include "service/kafka/store/chain.h"
#include "service/kafka/store/state_head.h"
#include "service/state/state_order.h"
#include "storage/identity.h"
#include "storage/store.h"
#include "storage/stores.h"

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

// Of a cluster that begins with the state, at `log` in its log. A state that is a decider's at that
// log already, as after an interrupted init, keeps its cluster and its place, unless `log_id`, of
// the topic of the log, says that the log was recreated. `kafka_cluster`: the id of the Kafka
// cluster. Throws Failure(kConfig) when the state has another rule or is of another Kafka cluster
// or of requests, Failure(kUnavailable) when flags of it may not be delivered, and Failure(kIo) for
// a damaged one.
NewCluster begin_with_state(Store& store, const Rule& rule, const Position& log,
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
  NewCluster begin;
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

// Makes the state that of a decider which has decided up to where the cluster begins. `layout`:
// that of deciders (state_head.h).
void make_decider_state(Store& store, const NewCluster& begin, const Position& log,
                        const std::string& layout) {
  const Decided& first = begin.first;
  WriteSet writes;
  writes.meta.emplace_back(kMetaLayout, layout);
  writes.meta.emplace_back(kMetaPositions, encode_positions({{log.partition, first.offset}}));
  writes.meta.emplace_back(kMetaTopicIds, "");  // the next start stores the current ones
  writes.meta.emplace_back(kMetaMark, encode_mark({begin.uuid, 0, first.chain, first.next}));
  writes.meta.emplace_back(kMetaLogState, encode_log_state(first.log));
  store.commit(writes);
}

void require_no_cluster(ClusterClient& client) {
  const ClusterOptions& options = client.config().cluster;
  const auto head = find_cluster_head(client.consumer(), options, client.retry());
  if (!head) return;
  throw Failure(
      Exit::kUnavailable,
      fmt::format("there is a cluster {} already: {}, made at {} (topic {}). `neardup "
                  "cluster status` shows it",
                  options.name, head->uuid, human_time(head->made_ms), options.decisions_topic()));
}

NewCluster begin_empty(const Rule& rule, const Position& log) {
  NewCluster begin;
  begin.uuid = new_uuid();
  begin.first.rule = rule_fingerprint(rule_text(rule));
  begin.first.offset = log.offset;
  begin.first.chain = Chain().digits();
  return begin;
}

void require_place(const Decided& first, const TopicPartition& log, const Watermarks& marks) {
  if (marks.low <= first.offset && first.offset <= marks.high) return;
  throw Failure(Exit::kUnavailable,
                fmt::format("the state is a decider's at offset {} of {}, which has the offsets {} "
                            "to {} now: the records behind it are gone",
                            first.offset, to_text(log), marks.low, marks.high));
}

std::string id_of_log(ClusterClient& client, const Position& log) {
  const std::string& topic = log.partition.topic;
  return TopicWatch(decider_options(client.config()), {topic}, "", client.events())
      .ask(client.retry())[topic];
}

NewCluster begin_with(const std::string& path, ClusterClient& client, const Rule& rule,
                      const Position& log, const Watermarks& marks) {
  if (!std::filesystem::exists(path)) {
    throw Failure(Exit::kUnavailable, fmt::format("{}: there is no state here", path));
  }
  StorageOptions storage = client.config().storage;
  storage.path = path;
  const auto store = open_store(storage, OpenMode::kReadWrite);
  const std::string kafka_cluster = await_cluster_id(client.consumer(), client.retry());
  NewCluster begin = begin_with_state(*store, rule, log, kafka_cluster, id_of_log(client, log));
  require_place(begin.first, log.partition, marks);
  make_decider_state(*store, begin, log,
                     layout_text(decider_options(client.config()), kafka_cluster));
  return begin;
}

}  // namespace

NewCluster init_cluster(ClusterClient& client, const Rule& rule,
                        const std::optional<std::string>& state) {
  const ClusterOptions& options = client.config().cluster;
  check_cluster(client.config(), ClusterUse::kInit, true, client.consumer(), client.retry());
  require_no_cluster(client);
  const TopicPartition log{options.log_topic(), 0};
  const Watermarks marks = await_watermarks(client.consumer(), log, client.retry());
  const Position end{log, marks.high};
  // The state is first: where the message is missing, the next init continues with the state.
  const NewCluster begin =
      state ? begin_with(*state, client, rule, end, marks) : begin_empty(rule, end);
  client.append(options.decisions_topic(), encode_decided(begin.uuid, begin.first));
  const ClusterHead head = read_cluster_head(client.consumer(), options, rule, client.retry());
  if (head.uuid != begin.uuid) {
    throw Failure(
        Exit::kUnavailable,
        fmt::format("another `neardup cluster init` came first: the cluster is {}, and topic {} "
                    "also has a message of {}. Delete the topic, and run it once",
                    head.uuid, options.decisions_topic(), begin.uuid));
  }
  return begin;
}

}  // namespace neardup
