// `neardup serve` as a shard: keeps the documents of its blocks, as the topic of decisions says,
// and answers what is in the log and not decided yet.
//
//   decisions → state; log → answers, as of the last decision in the state
//
// Threads: that of `serve` reads both topics, applies, commits and answers; requests read the state
// between two of its steps.
// Durable: one commit holds the documents of some decided batches and how far both topics are read.
// Nothing is committed to Kafka.
// Answers are of what is stored alone, so a shard that is killed resumes from its state, and any
// number of replicas may answer. It sends its last answers again; resolvers accept duplicates. A
// shard without anything to answer says each second how far it is.
// A stop ends it between two steps.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/shard/shard.h"
#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/cluster/decisions_reader.h"
#include "service/kafka/cluster/log/log_reader.h"
#include "service/kafka/cluster/log/undecided_log.h"
#include "service/kafka/cluster/shard/answer_writer.h"
#include "service/kafka/cluster/shard/shard_state.h"
#include "service/kafka/cluster/shard/shard_work.h"
#include "service/serve/service_runner.h"

namespace neardup {

KafkaUse kafka_of_shard(const Config& config);

class ShardService : public Role {
 public:
  // `url`: of the control requests, which is announced to commands. `runner` must outlive this, and
  // have clients of kafka_of_shard.
  ShardService(ServiceRunner& runner, std::string url);

  void start() override;
  void serve() override;
  void look(bool reachable) override;
  std::optional<std::string> not_ready_reason() const override;
  std::string_view unfinished() const override { return "stored records are not read again"; }

 private:
  void take_up(const ShardPlace& place);
  void step();
  bool take_decisions();
  bool answer();
  std::size_t write(Answer answer);
  void answer_with_new_producer(const KafkaError& error);
  void show_place();

  ServiceRunner& runner_;
  const Config& config_;
  const Rule& rule_;
  Log& log_;
  Control& control_;
  KafkaClients& kafka_;
  EventMetrics& events_;
  const std::string url_;
  std::atomic<std::uint64_t> behind_{0};   // records that are decided and not applied
  std::atomic<std::uint64_t> reached_{0};  // the first record that is not applied; 0: it starts
  ClusterHead head_;                       // as of the start
  ShardIdentity identity_;
  std::optional<Shard> shard_;
  std::optional<UndecidedLog> undecided_;
  std::optional<ShardWork> work_;
  std::unique_ptr<DecisionsReader> decisions_;
  std::unique_ptr<LogReader> messages_;
  std::unique_ptr<AnswerWriter> answers_;
  std::chrono::steady_clock::time_point last_answer_;  // when it was written
};

}  // namespace neardup
