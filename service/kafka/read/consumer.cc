#include "service/kafka/read/consumer.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <span>

#include "service/kafka/client/client_conf.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/read/partition_list.h"

namespace neardup {
namespace {

constexpr std::int32_t kNoPartition = std::numeric_limits<std::int32_t>::max();

using Metadata = std::unique_ptr<const rd_kafka_metadata_t, Destroy<rd_kafka_metadata_destroy>>;
using TopicHandle = std::unique_ptr<rd_kafka_topic_t, Destroy<rd_kafka_topic_destroy>>;

TopicSize size_of_topic(rd_kafka_t* client, const std::string& topic) {
  const TopicHandle handle(rd_kafka_topic_new(client, topic.c_str(), nullptr));
  const rd_kafka_metadata_t* answer = nullptr;
  const auto error = rd_kafka_metadata(client, 0, handle.get(), &answer, RetryPolicy::kCallMs);
  const Metadata metadata(answer);
  const std::string doing = fmt::format("looking up topic {}", topic);
  check(error, doing);
  if (metadata->topic_cnt != 1) return {};
  const rd_kafka_metadata_topic_t& found = metadata->topics[0];
  if (found.err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART) return {};
  check(found.err, doing);
  TopicSize size{found.partition_cnt, std::numeric_limits<std::int32_t>::max()};
  for (const auto& partition : std::span(found.partitions, found.partition_cnt))
    size.replicas = std::min(size.replicas, partition.replica_cnt);
  return size;
}

}  // namespace

Consumer::Consumer(const KafkaOptions& options, ClientEvents& events)
    : options_(options),
      events_(events),
      client_(make_client(options, ClientRole::kConsumer, events)) {}

std::unique_ptr<PartitionReader> Consumer::read(const Positions& positions) const {
  return std::make_unique<PartitionReader>(options_, events_, positions);
}

std::unique_ptr<PartitionQueues> Consumer::queues(std::size_t partitions, Log& log) const {
  return std::make_unique<PartitionQueues>(options_, events_, partitions, log);
}

void Consumer::serve() const {
  while (KafkaMessage(rd_kafka_consumer_poll(client_.get(), 0))) {
  }
}

std::string Consumer::cluster_id() const {
  char* id = rd_kafka_clusterid(client_.get(), RetryPolicy::kCallMs);
  if (id == nullptr) check(RD_KAFKA_RESP_ERR__TIMED_OUT, "connecting to the brokers");
  std::string text = id;
  rd_kafka_mem_free(client_.get(), id);
  return text;
}

std::map<std::string, std::int32_t> Consumer::partition_counts(
    const std::vector<std::string>& topics) const {
  std::map<std::string, std::int32_t> counts;
  for (const std::string& topic : topics) counts[topic] = size_of(topic).partitions;
  return counts;
}

TopicSize Consumer::size_of(const std::string& topic) const {
  return size_of_topic(client_.get(), topic);
}

// Before version 2.10 librdkafka may look for the leader of a topic that was deleted and recreated
// among stale entries of its cache, for ever, or not find the partition of a topic that was just
// made. A new client has no such entries. If that does not find a partition either that the topic
// has, then it has no leader at the moment.
rd_kafka_resp_err_t Consumer::ask_leader(
    const TopicPartition& partition,
    const std::function<rd_kafka_resp_err_t(rd_kafka_t*)>& ask) const {
  auto error = ask(client_.get());
  const bool may_be_stale =
      error == RD_KAFKA_RESP_ERR__TIMED_OUT || error == RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION;
  if (!may_be_stale || size_of(partition.topic).partitions <= partition.partition) return error;
  error = ask(make_client(options_, ClientRole::kConsumer, events_).get());
  return error == RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION ? RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE
                                                       : error;
}

Watermarks Consumer::watermarks(const TopicPartition& partition) const {
  Watermarks marks;
  const auto error = ask_leader(partition, [&](rd_kafka_t* client) {
    return rd_kafka_query_watermark_offsets(client, partition.topic.c_str(), partition.partition,
                                            &marks.low, &marks.high, RetryPolicy::kCallMs);
  });
  check(error, fmt::format("looking up the offsets of {}", to_text(partition)));
  return marks;
}

Positions Consumer::ends(const std::vector<TopicPartition>& partitions) const {
  return offsets_at(RD_KAFKA_OFFSET_END, partitions);
}

Positions Consumer::begins(const std::vector<TopicPartition>& partitions) const {
  return offsets_at(RD_KAFKA_OFFSET_BEGINNING, partitions);
}

Positions Consumer::offsets_at(std::int64_t where,
                               const std::vector<TopicPartition>& partitions) const {
  if (partitions.empty()) return {};
  Positions asked;
  for (const TopicPartition& partition : partitions) asked.push_back({partition, where});
  PartitionList list;
  const auto error = ask_leader(partitions.front(), [&](rd_kafka_t* client) {
    list = make_list(asked, {});
    return rd_kafka_offsets_for_times(client, list.get(), RetryPolicy::kCallMs);
  });
  check(error, "looking up the offsets of partitions");
  Positions found;
  for (int i = 0; i < list->cnt; ++i) {
    const rd_kafka_topic_partition_t& entry = list->elems[i];
    if (entry.err == RD_KAFKA_RESP_ERR_NO_ERROR && entry.offset >= 0) {
      found.push_back({{entry.topic, entry.partition}, entry.offset});
    }
  }
  return found;
}

std::vector<CommittedOffset> Consumer::committed(
    const std::vector<TopicPartition>& partitions) const {
  Positions asked;
  for (const TopicPartition& partition : partitions) asked.push_back({partition, -1});
  const PartitionList list = make_list(asked, {});
  check(rd_kafka_committed(client_.get(), list.get(), RetryPolicy::kCallMs),
        "reading the committed offsets of the group");
  std::vector<CommittedOffset> committed;
  for (int i = 0; i < list->cnt; ++i) {
    const rd_kafka_topic_partition_t& entry = list->elems[i];
    check(entry.err, fmt::format("reading the committed offset of {}", to_text(partitions[i])));
    CommittedOffset& one = committed.emplace_back(CommittedOffset{partitions[i], {}, {}});
    if (entry.offset < 0) continue;
    one.offset = entry.offset;
    one.metadata.assign(static_cast<const char*>(entry.metadata), entry.metadata_size);
  }
  return committed;
}

// Not by an admin request: librdkafka up to 2.15 may abort the process when the group's coordinator
// disconnects while one is under way (its pull request 5397). An offset is asked for instead, of a
// partition that is not there: others can have one in an open transaction. Where the group is
// closed that request times out, and only a new client's queue says why.
bool Consumer::may_see_group() const {
  const KafkaHandle client = make_client(options_, ClientRole::kConsumer, events_);
  const PartitionList any = make_list({{{options_.topics.front(), kNoPartition}, -1}}, {});
  const auto error = rd_kafka_committed(client.get(), any.get(), RetryPolicy::kCallMs);
  if (error == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED) return false;
  while (const KafkaMessage message{rd_kafka_consumer_poll(client.get(), 0)}) {
    if (message->err == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED) return false;
  }
  check(error, "looking up the group");
  return true;
}

void Consumer::commit(std::span<const OffsetCommit> commits) {
  check(rd_kafka_commit(client_.get(), make_list(commits).get(), 0), "committing offsets");
}

}  // namespace neardup
