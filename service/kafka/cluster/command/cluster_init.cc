#include "service/kafka/cluster/command/cluster_init.h"

#include <fmt/core.h>

#include <filesystem>
#include <memory>

#include "pipeline/base/failure.h"
#include "pipeline/base/quantities.h"
#include "service/kafka/cluster/cluster_checks.h"
#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/cluster/command/cluster_state.h"
#include "service/kafka/read/reading.h"
#include "service/kafka/read/topic_watch.h"
#include "service/kafka/store/chain.h"
#include "service/kafka/store/state_head.h"
#include "storage/identity.h"
#include "storage/stores.h"

namespace neardup {
namespace {

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

ClusterBegin begin_empty(const Rule& rule, const Position& log) {
  ClusterBegin begin;
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

ClusterBegin begin_with(const std::string& path, ClusterClient& client, const Rule& rule,
                        const Position& log, const Watermarks& marks) {
  if (!std::filesystem::exists(path)) {
    throw Failure(Exit::kUnavailable, fmt::format("{}: there is no state here", path));
  }
  StorageOptions storage = client.config().storage;
  storage.path = path;
  const auto store = open_store(storage, OpenMode::kReadWrite);
  const std::string kafka_cluster = await_cluster_id(client.consumer(), client.retry());
  ClusterBegin begin = begin_with_state(*store, rule, log, kafka_cluster, id_of_log(client, log));
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
  // The state is first: where the message is missing, the next init goes on with the state.
  const ClusterBegin begin =
      state ? begin_with(*state, client, rule, end, marks) : begin_empty(rule, end);
  client.append(options.decisions_topic(), encode_decided(begin.uuid, begin.first));
  const ClusterHead head = read_cluster_head(client.consumer(), options, rule, client.retry());
  if (head.uuid != begin.uuid) {
    throw Failure(Exit::kUnavailable,
                  fmt::format("another `neardup cluster init` was first: the cluster is {}, and "
                              "topic {} has a message of {}, too. Delete the topic, and run it "
                              "once",
                              head.uuid, options.decisions_topic(), begin.uuid));
  }
  return {begin.uuid, begin.first};
}

}  // namespace neardup
