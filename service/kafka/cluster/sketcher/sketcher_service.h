// `neardup serve` as a sketcher: input topics → the log of a cluster.
//
// Sketchers are an ordinary consumer group.
// Threads: that of `serve` appends and commits; one reads and some sketch
// (pipeline/prepared_chunks.h); the monitor follows the decisions.
// Durable: nothing is kept here. The offset of a partition is committed once the log has
// acknowledged all messages before it.
// After a crash or a long pause another member of the group has the partitions, and appends
// uncommitted messages again: readers of the log count each record once
// (service/cluster/log_order.h).
// A stop ends reading, waits for acknowledgements, commits, and leaves the group.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/backend.h"
#include "service/kafka/cluster/decisions_follower.h"
#include "service/kafka/cluster/group_member.h"
#include "service/kafka/cluster/log/log_appender.h"
#include "service/kafka/cluster/sketcher/sketching.h"
#include "service/kafka/read/kafka_source.h"
#include "service/log/notice_log.h"
#include "service/log/work_log.h"
#include "service/serve/service_runner.h"

namespace neardup {

KafkaUse kafka_of_sketcher(const Config& config);

class SketcherService : public Role {
 public:
  // `runner` must outlive this, and have clients of kafka_of_sketcher.
  explicit SketcherService(ServiceRunner& runner);

  void start() override;
  void serve() override;
  void look(bool reachable) override;
  std::optional<std::string> not_ready_reason() const override;
  std::string_view unfinished() const override {
    return "uncommitted records are sketched again by other sketchers";
  }

 private:
  void sketch(const Membership& membership, Backend& backend, GpuLog& gpu);
  SketchingAsks asks_of(const Membership& membership, Backend& backend, GpuLog& gpu);
  Positions begin(const std::vector<TopicPartition>& partitions);
  void require_sources();
  void tell_restart(const CommittedOffset& committed, const SourceStart& start);
  std::int64_t first_offset(const SourceStart& start, const TopicPartition& partition);
  KafkaSourceOptions source_options();

  ServiceRunner& runner_;
  const Config& config_;
  const Rule& rule_;
  Log& log_;
  KafkaClients& kafka_;
  EventMetrics& events_;
  const KafkaOptions log_options_;
  std::atomic<bool> ready_{false};  // has its partitions, or none
  NoticeLog notices_;
  std::string cluster_;  // uuid
  MessageLimits limits_;
  LogFill fill_;
  std::unique_ptr<DecisionsFollower> decisions_;
  std::unique_ptr<GroupMember> member_;
  std::unique_ptr<LogAppender> appender_;
  // A member, since closing a source can hang: it is closed only after the outcome is reported.
  std::unique_ptr<KafkaSource> source_;
};

}  // namespace neardup
