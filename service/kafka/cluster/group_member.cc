#include "service/kafka/cluster/group_member.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "pipeline/base/failure.h"
#include "service/kafka/client/client_conf.h"
#include "service/kafka/client/handles.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kOwnerStep{100};  // how soon a lost partition is noticed
constexpr int kHeartbeats = 3;           // in the time of a session
constexpr std::chrono::seconds kBetweenErrors{10};

std::map<std::string, std::string> settings_of(const KafkaOptions& options,
                                               const GroupMemberOptions& group) {
  std::map<std::string, std::string> settings = {
      {"group.id", group.group},
      {"partition.assignment.strategy", "cooperative-sticky"},
      // Records that come before a partition is paused are of no use.
      {"queued.min.messages", "1"},
      {"queued.max.messages.kbytes", "1024"}};
  if (options.librdkafka.contains("session.timeout.ms")) return settings;
  settings["session.timeout.ms"] = std::to_string(group.session.count());
  settings["heartbeat.interval.ms"] = std::to_string(group.session.count() / kHeartbeats);
  return settings;
}

PartitionList subscription_to(const std::vector<std::string>& topics) {
  PartitionList list(rd_kafka_topic_partition_list_new(static_cast<int>(topics.size())));
  for (const std::string& topic : topics) {
    rd_kafka_topic_partition_list_add(list.get(), topic.c_str(), RD_KAFKA_PARTITION_UA);
  }
  return list;
}

std::vector<TopicPartition> partitions_of(const rd_kafka_topic_partition_list_t& list) {
  std::vector<TopicPartition> partitions;
  for (int i = 0; i < list.cnt; ++i) {
    partitions.push_back({list.elems[i].topic, list.elems[i].partition});
  }
  std::ranges::sort(partitions);
  return partitions;
}

// The group has changed without this member, which has to join it again.
bool is_left_behind(rd_kafka_resp_err_t error) {
  return error == RD_KAFKA_RESP_ERR_ILLEGAL_GENERATION ||
         error == RD_KAFKA_RESP_ERR_UNKNOWN_MEMBER_ID;
}

// The commit may succeed once the group has changed.
bool is_passing_in_group(rd_kafka_resp_err_t error) {
  return error == RD_KAFKA_RESP_ERR_REBALANCE_IN_PROGRESS || is_left_behind(error);
}

}  // namespace

GroupMember::GroupMember(const KafkaOptions& options, const GroupMemberOptions& group, Log& log)
    : ClientEvents(log),
      errors_(log, kBetweenErrors),
      client_(make_client(options, ClientRole::kConsumer, *this, settings_of(options, group))) {
  check(rd_kafka_subscribe(client_.get(), subscription_to(group.topics).get()),
        "joining the group");
  thread_ = std::thread([this] { run(); });
}

GroupMember::~GroupMember() {
  {
    const MutexLock lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void GroupMember::listen(rd_kafka_conf_t* conf) {
  ClientEvents::listen(conf);
  rd_kafka_conf_set_rebalance_cb(conf, on_rebalance);
}

void GroupMember::run() {
  const auto closing = [this] {
    const MutexLock lock(mutex_);
    return closing_;
  };
  while (!closing()) {
    const KafkaMessage message(rd_kafka_consumer_poll(client_.get(), kPollMs));
    if (message && message->err != RD_KAFKA_RESP_ERR_NO_ERROR) on_error(*message);
  }
  rd_kafka_consumer_close(client_.get());
}

// Called by rd_kafka_consumer_poll and rd_kafka_consumer_close, on the thread of `run`.
void GroupMember::on_rebalance(rd_kafka_t* client, rd_kafka_resp_err_t what, List* partitions,
                               void* opaque) {
  auto& self = static_cast<GroupMember&>(*static_cast<ClientEvents*>(opaque));
  if (what == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) return self.take(client, *partitions);
  self.give_up(client, *partitions);
}

void GroupMember::take(rd_kafka_t* client, const List& partitions) {
  const std::vector<TopicPartition> taken = partitions_of(partitions);
  Positions positions;
  for (const TopicPartition& partition : taken) {
    positions.push_back({partition, RD_KAFKA_OFFSET_END});
  }
  const PartitionList list = make_list(positions, {});
  const KafkaErrorPtr error(rd_kafka_incremental_assign(client, list.get()));
  if (error) {
    errors_.write(LogLevel::kWarning, "partitions not taken",
                  {{"reason", rd_kafka_error_string(error.get())}});
    return;
  }
  rd_kafka_pause_partitions(client, list.get());
  brokers_up();
  {
    const MutexLock lock(mutex_);
    auto& mine = membership_.partitions;
    mine.insert(mine.end(), taken.begin(), taken.end());
    std::ranges::sort(mine);
    ++membership_.generation;
  }
  changed_.notify_all();
}

void GroupMember::give_up(rd_kafka_t* client, const List& partitions) {
  const std::vector<TopicPartition> given = partitions_of(partitions);
  {
    const MutexLock lock(mutex_);
    std::erase_if(membership_.partitions,
                  [&](const auto& mine) { return std::ranges::binary_search(given, mine); });
    ++membership_.generation;
    leaving_ = given;
  }
  changed_.notify_all();
  await_owner(client);
  const MutexLock committing(committing_);
  {
    const MutexLock lock(mutex_);
    leaving_.clear();
  }
  const KafkaErrorPtr error(rd_kafka_incremental_unassign(client, &partitions));
  if (!error) return;
  errors_.write(LogLevel::kWarning, "partitions not given up",
                {{"reason", rd_kafka_error_string(error.get())}});
}

// Nobody needs to wait for partitions that others may have already.
void GroupMember::await_owner(rd_kafka_t* client) {
  MutexLock lock(mutex_);
  while (!closing_ && finished_ < membership_.generation && rd_kafka_assignment_lost(client) == 0) {
    changed_.wait_until(lock, steady_clock::now() + kOwnerStep);
  }
}

void GroupMember::on_error(const rd_kafka_message_t& message) {
  const char* reason = rd_kafka_message_errstr(&message);
  if (classify(message.err) == ErrorClass::kDenied) {
    const MutexLock lock(mutex_);
    refusal_ = reason;
  } else if (message.err != RD_KAFKA_RESP_ERR__PARTITION_EOF) {
    errors_.write(LogLevel::kWarning, "member of a group", {{"reason", reason}});
  }
  changed_.notify_all();
}

void GroupMember::throw_refusal() const {
  if (!membership_.partitions.empty()) return;
  const std::string why = refusal_.empty() ? denial() : refusal_;
  if (why.empty()) return;
  throw Failure(Exit::kConfig,
                fmt::format("kafka: joining the group was refused: {}\nCheck credentials, TLS "
                            "settings and the permissions of this user (docs/operations.md lists "
                            "them).",
                            why));
}

Membership GroupMember::wait(std::uint64_t generation, milliseconds time) {
  const auto deadline = steady_clock::now() + time;
  MutexLock lock(mutex_);
  while (membership_.generation == generation && changed_.wait_until(lock, deadline)) {
    throw_refusal();
  }
  throw_refusal();
  return membership_;
}

void GroupMember::finished(std::uint64_t generation) {
  {
    const MutexLock lock(mutex_);
    finished_ = std::max(finished_, generation);
  }
  changed_.notify_all();
}

bool GroupMember::may_commit(const TopicPartition& partition) const {
  const auto is_it = [&](const TopicPartition& one) { return one == partition; };
  return std::ranges::any_of(membership_.partitions, is_it) || std::ranges::any_of(leaving_, is_it);
}

// While the member gives partitions up it cannot join again: that waits for its owner, who must not
// wait for the commit then. librdkafka does not call such partitions lost.
bool GroupMember::commit(std::span<const OffsetCommit> commits) {
  const MutexLock committing(committing_);
  bool gives_up = false;
  {
    const MutexLock lock(mutex_);
    for (const OffsetCommit& one : commits) {
      if (!may_commit(one.position.partition)) return false;
    }
    gives_up = !leaving_.empty();
  }
  const auto error = rd_kafka_commit(client_.get(), make_list(commits).get(), 0);
  if (gives_up && is_left_behind(error)) return false;
  if (is_passing_in_group(error)) {
    throw KafkaError(ErrorClass::kRetriable, error,
                     fmt::format("committing offsets has to wait: {}", rd_kafka_err2str(error)));
  }
  check(error, "committing offsets");
  return true;
}

void GroupMember::note(const OffsetCommit& note) {
  const MutexLock committing(committing_);
  const OffsetCommit one[] = {note};
  check(rd_kafka_commit(client_.get(), make_list(one).get(), 0), "committing offsets");
}

}  // namespace neardup
