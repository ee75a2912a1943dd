#include "service/kafka/cluster/resolver/resolver_start.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "pipeline/base/failure.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/cluster/decisions_reader.h"
#include "service/kafka/cluster/log/log_reader.h"
#include "service/kafka/cluster/resolver/live_ages.h"
#include "service/kafka/cluster/resolver/resolving.h"
#include "service/kafka/deliver/deliverer.h"
#include "service/kafka/message/commit_metadata.h"
#include "storage/identity.h"

namespace neardup {
namespace {

void require_ages_from(Seq watermark, const ClusterHead& head, const std::string& topic) {
  const Seq first = head.first.first;
  if (std::max<Seq>(watermark, 1) >= first) return;
  throw Failure(Exit::kUnavailable,
                fmt::format("topic {} begins with record {}, and the ages of documents from record "
                            "{} on are needed (retention.max_age, retention.max_bytes): keep the "
                            "topic longer (retention.ms). A cluster that was made from a state "
                            "cannot have such a retention",
                            topic, first, std::max<Seq>(watermark, 1)));
}

std::vector<Age> read_ages(const Config& config, const ClusterHead& head, const Consumer& consumer,
                           RetryPolicy& retry) {
  const ClusterOptions& options = config.cluster;
  const Seq watermark = head.last.watermark;
  const Seq next = head.last.next;
  require_ages_from(watermark, head, options.decisions_topic());
  if (head.first.next >= next) return {};
  const auto is_needed = [&](const Decided& decided) { return decided.next > watermark; };
  const std::int64_t from = find_decided(consumer, options, head, is_needed, retry);
  DecisionsReader reader(consumer, options, head.uuid, from, retry.log());
  LiveAges ages;
  for (Seq at = 0; at < next;) {
    if (retry.stop()) throw Stopped();
    const auto message = reader.poll(kPoll);
    if (!message) continue;
    if (at != 0) require_successive(*message, at);
    ages.add(message->decided);
    at = message->decided.next;
  }
  return ages.take(watermark);
}

void require_effects(const Decided& last, const ClusterOptions& options) {
  if (last.first == last.next || !last.effects.empty()) return;
  throw Failure(Exit::kConfig,
                fmt::format("the records {} to {} of the cluster {} were decided by a decider, "
                            "which keeps their documents itself: run deciders, or make another "
                            "cluster for shards and resolvers",
                            last.first, last.next - 1, options.name));
}

StreamTime time_of(const Decided& last, const Rule& rule) {
  StreamTime time(rule.retention.max_step_ms);
  time.go_on(last.began_ms, last.stream_ms);
  return time;
}

}  // namespace

void require_delivered(const Decided& last, const CommittedOffset& committed,
                       const std::string& topic) {
  const auto mark = decode_mark(committed.metadata);
  if (!mark || (mark->next_seq == last.next && mark->chain == last.chain)) return;
  throw Failure(
      Exit::kUnavailable,
      fmt::format("the last message of topic {} ends before record {}, with the chain {}, and the "
                  "committed offset of {} says record {} and {}: a message is repeated, or another "
                  "program has written to the topic or set the offset. Nothing is decided again; "
                  "only deciders and resolvers of the cluster may write there",
                  topic, last.next, last.chain, to_text(committed.partition), mark->next_seq,
                  mark->chain));
}

ResolverStart read_resolver_start(const Config& config, const Rule& rule, const Consumer& consumer,
                                  RetryPolicy& retry) {
  const ClusterOptions& options = config.cluster;
  ClusterHead head = read_cluster_head(consumer, options, rule, retry);
  const Decided& last = head.last;
  const Position log{{options.log_topic(), 0}, last.offset};
  require_effects(last, options);
  require_messages_from(consumer, log.partition.topic, log.offset, "the resolver", retry);
  Placement placement = placement_at(consumer, options, head, last, rule, retry);
  MergedResolver::Start decisions{.place = {last.next, time_of(last, rule)},
                                  .watermark = last.watermark};
  const bool keeps_ages = needs_ages(rule.retention);
  if (keeps_ages) decisions.ages = read_ages(config, head, consumer, retry);
  const CommittedOffset committed = read_committed(consumer, {log}, retry).front();
  require_delivered(last, committed, options.decisions_topic());
  ResolvedBatches::Start batches{.cluster = head.uuid,
                                 .rule = {last.rule, rule.decision.threshold},
                                 .keeps_ages = keeps_ages,
                                 .next = last.next,
                                 .chain = last.chain,
                                 .log = {log.partition, committed.offset.value_or(log.offset)},
                                 .mark = decode_mark(committed.metadata),
                                 .leader = new_uuid()};
  return {std::move(head), std::move(placement), std::move(decisions), std::move(batches),
          topic_id_of_mark(committed.metadata)};
}

}  // namespace neardup
