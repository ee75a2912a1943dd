// A member of a consumer group: which partitions the group has given to it, and offsets that it
// commits as a member. It reads nothing: its owner reads the partitions with a separate client.
//
// Partitions move cooperatively: a partition that stays with a member is never revoked meanwhile.
// Where the group asks for a partition back, the owner first finishes with it and says so. If the
// group has given it away already, since this member was not heard of for `session`, nobody waits.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "config/service_options.h"
#include "pipeline/base/mutex.h"
#include "service/kafka/client/client_events.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/read/partition_list.h"
#include "service/log/log.h"

namespace neardup {

struct GroupMemberOptions {
  std::string group;
  std::vector<std::string> topics;
  // After so long without a sign of life the group gives the partitions to others. The setting
  // session.timeout.ms of kafka.librdkafka goes before it.
  std::chrono::milliseconds session{6000};
};

struct Membership {
  std::uint64_t generation = 0;            // larger after each change; 0: has not joined yet
  std::vector<TopicPartition> partitions;  // in ascending order
  bool operator==(const Membership&) const = default;
};

// Any thread may make any call.
class GroupMember : private ClientEvents {
 public:
  // Joins the group. `log` must outlive this. Throws Failure(kConfig).
  GroupMember(const KafkaOptions& options, const GroupMemberOptions& group, Log& log);
  // Leaves the group, which then gives the partitions to others at once. Requires: the owner has
  // finished with all of them.
  ~GroupMember() override;

  // Waits until the membership is another one than that of `generation`, `time` at most, and
  // returns it. Throws Failure(kConfig) when the brokers refuse the member; a membership without
  // partitions is the last thing that such a member sees.
  Membership wait(std::uint64_t generation, std::chrono::milliseconds time);
  Membership now() { return wait(0, {}); }

  // The owner has finished with all partitions that are not of the membership of `generation`. The
  // group waits for that, up to max.poll.interval.ms.
  void finished(std::uint64_t generation);

  // Commits offsets. False: one of the partitions is not this member's any more, or the group has
  // gone on without this member while it was giving partitions up, and nothing is committed. Throws
  // KafkaErrors; while the group is about to change, retriable ones.
  bool commit(std::span<const OffsetCommit> commits);

  // Keeps metadata with the offset of a partition that no member is given. Throws KafkaErrors, also
  // while the group is about to change.
  void note(const OffsetCommit& note);

 private:
  using List = rd_kafka_topic_partition_list_t;

  void listen(rd_kafka_conf_t* conf) override;
  static void on_rebalance(rd_kafka_t* client, rd_kafka_resp_err_t what, List* partitions,
                           void* opaque);
  void run();
  void take(rd_kafka_t* client, const List& partitions);
  void give_up(rd_kafka_t* client, const List& partitions);
  void await_owner(rd_kafka_t* client);
  void on_error(const rd_kafka_message_t& message);
  void throw_refusal() const REQUIRES(mutex_);
  bool may_commit(const TopicPartition& partition) const REQUIRES(mutex_);

  RateLimitedLog errors_;
  // Held while offsets are committed and while partitions are given up, so that no commit of a
  // partition is sent in the name of a later membership.
  Mutex committing_;
  Mutex mutex_;
  ConditionVariable changed_;
  Membership membership_ GUARDED_BY(mutex_);
  std::vector<TopicPartition> leaving_ GUARDED_BY(mutex_);  // the owner still works on them
  std::uint64_t finished_ GUARDED_BY(mutex_) = 0;           // generation
  bool closing_ GUARDED_BY(mutex_) = false;
  std::string refusal_ GUARDED_BY(mutex_);
  KafkaHandle client_;
  std::thread thread_;
};

}  // namespace neardup
