#include "service/kafka/cluster/cluster_head.h"

#include <fmt/core.h>

#include <memory>
#include <utility>
#include <vector>

#include "pipeline/base/failure.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/read/reading.h"
#include "service/kafka/read/topic_scan.h"

namespace neardup {
namespace {

constexpr std::int64_t kFirstStep = 4;  // a transaction of one message, and its marker

[[noreturn]] void refuse(const rd_kafka_message_t& message, std::string_view what) {
  throw Failure(Exit::kUnavailable,
                fmt::format("topic {}: the message at offset {} {}",
                            rd_kafka_topic_name(message.rkt), message.offset, what));
}

class DecisionsTopic {
 public:
  DecisionsTopic(const Consumer& consumer, const ClusterOptions& options, RetryPolicy& retry)
      : consumer_(consumer), partition_{options.decisions_topic(), 0}, retry_(retry) {}

  std::optional<ClusterHead> read() {
    const std::string& topic = partition_.topic;
    if (await_partition_counts(consumer_, {topic}, retry_).at(topic) == 0) return {};
    const Watermarks marks = await_watermarks(consumer_, partition_, retry_);
    const KafkaMessage first = find(marks.low, marks.high, Side::kFirst);
    if (!first) return {};
    ClusterHead head;
    head.uuid = cluster_of(value_of(*first)).value_or("");
    head.first = read_decided(*first, head.uuid);
    head.low = marks.low;
    head.begin = first->offset + 1;
    head.made_ms = rd_kafka_message_timestamp(first.get(), nullptr);
    const KafkaMessage later = last_before(marks.high, first->offset);
    const rd_kafka_message_t& last = later ? *later : *first;
    head.last = read_decided(last, head.uuid);
    head.end = last.offset + 1;
    return head;
  }

  // Where `is_there` begins to hold, with the messages on both sides.
  struct Found {
    std::int64_t offset = 0;
    Decided before;
    Decided after;
  };
  // `is_there` holds for the last message, and for each behind one for which it holds.
  Found find_first(const ClusterHead& head, const std::function<bool(const Decided&)>& is_there) {
    Found found{.before = head.first, .after = head.last};
    std::int64_t begin = await_watermarks(consumer_, partition_, retry_).low;
    std::int64_t end = head.end;  // it holds for a message at or behind it
    while (begin < end) {
      const std::int64_t middle = begin + (end - begin) / 2;
      const KafkaMessage message = find(middle, head.end, Side::kFirst);
      if (!message) break;
      Decided decided = read_decided(*message, head.uuid);
      if (is_there(decided)) {
        found.after = std::move(decided);
        end = middle;
      } else {
        found.before = std::move(decided);
        begin = message->offset + 1;
      }
    }
    found.offset = end;
    return found;
  }

 private:
  enum class Side : std::uint8_t { kFirst, kLast };

  // Markers of transactions take offsets, too, so the last message lies somewhere before the end.
  KafkaMessage last_before(std::int64_t end, std::int64_t first) {
    for (std::int64_t step = kFirstStep; end - step > first; step *= kFirstStep) {
      if (KafkaMessage found = find(end - step, end, Side::kLast)) return found;
    }
    return find(first, end, Side::kLast);
  }

  // The first or the last message of the offsets begin … end − 1, or null.
  KafkaMessage find(std::int64_t begin, std::int64_t end, Side side) {
    KafkaMessage found;
    if (begin >= end) return found;
    TopicScan& scan = *scans_.emplace_back(
        std::make_unique<TopicScan>(consumer_.read({{partition_, begin}}), retry_.log()));
    while (KafkaMessage message = scan.next_below(end, retry_)) {
      found = std::move(message);
      if (side == Side::kFirst || found->offset + 1 == end) break;
    }
    return found;
  }

  const Consumer& consumer_;
  const TopicPartition partition_;
  RetryPolicy& retry_;
  std::vector<std::unique_ptr<TopicScan>> scans_;  // must outlive their messages
};

}  // namespace

std::optional<ClusterHead> find_cluster_head(const Consumer& consumer,
                                             const ClusterOptions& options, RetryPolicy& retry) {
  return DecisionsTopic(consumer, options, retry).read();
}

// Epochs never fall from one message to the next.
std::optional<EpochChange> find_epoch(const Consumer& consumer, const ClusterOptions& options,
                                      const ClusterHead& head, std::uint64_t epoch,
                                      RetryPolicy& retry) {
  if (head.first.log.epoch >= epoch || head.last.log.epoch < epoch) return {};
  auto found = DecisionsTopic(consumer, options, retry).find_first(head, [&](const Decided& one) {
    return one.log.epoch >= epoch;
  });
  return EpochChange{std::move(found.before), std::move(found.after)};
}

std::int64_t find_decided(const Consumer& consumer, const ClusterOptions& options,
                          const ClusterHead& head,
                          const std::function<bool(const Decided&)>& is_there, RetryPolicy& retry) {
  return DecisionsTopic(consumer, options, retry).find_first(head, is_there).offset;
}

ClusterHead read_cluster_head(const Consumer& consumer, const ClusterOptions& options,
                              const Rule& rule, RetryPolicy& retry) {
  std::optional<ClusterHead> head = find_cluster_head(consumer, options, retry);
  if (!head) {
    throw Failure(Exit::kConfig,
                  fmt::format("topic {} does not exist or is empty: there is no cluster {} yet. "
                              "Run `neardup cluster init` first",
                              options.decisions_topic(), options.name));
  }
  require_rule_of_cluster(*head, rule);
  return *std::move(head);
}

void require_rule_of_cluster(const ClusterHead& head, const Rule& rule) {
  const std::string text = rule_text(rule);
  const std::string ours = rule_fingerprint(text);
  if (head.last.rule == ours) return;
  throw Failure(Exit::kConfig,
                fmt::format("the cluster {} has the rule {}, and the configuration gives the rule "
                            "{}:\n{}Use the settings that the cluster was made with, or create "
                            "another one with another cluster.name",
                            head.uuid, head.last.rule, ours, text));
}

TopicIds ids_of_state(const std::optional<StateHead>& state, const Consumer& consumer,
                      const ClusterOptions& options, RetryPolicy& retry) {
  if (!state || state->ids.empty()) return {};
  const std::optional<ClusterHead> there = find_cluster_head(consumer, options, retry);
  return there && there->uuid != state->mark.state ? TopicIds() : state->ids;
}

Decided read_decided(const rd_kafka_message_t& message, std::string_view cluster) {
  Decided decided;
  switch (decode_decided(value_of(message), cluster, decided)) {
    case FrameOutcome::kOpened:
      break;
    case FrameOutcome::kOtherCluster:
      refuse(message, fmt::format("is of the cluster {}, and the one that has the topic is {}: two "
                                  "clusters use the same topics. Give each its own cluster.name",
                                  cluster_of(value_of(message)).value_or("?"), cluster));
    case FrameOutcome::kNewerFormat:
      refuse(message, "has a newer format: this program is older than the one that wrote it");
    case FrameOutcome::kDamaged:
      refuse(message, "is damaged, or was not written by neardup");
  }
  return decided;
}

}  // namespace neardup
