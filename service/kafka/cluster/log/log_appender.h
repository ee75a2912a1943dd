// Prepared chunks → messages of the log, and dead letters for records that are rejected, where
// there is a topic for them.
//
// Each batch is a unit: when the log has acknowledged all its messages and dead letters, the
// offsets of its records can be committed.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "config/service_options.h"
#include "metrics/sketcher_probe.h"
#include "pipeline/chunk_queue.h"
#include "pipeline/rule/rule.h"
#include "service/cluster/chunk_encoder.h"
#include "service/cluster/decided.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/deliver/producer.h"
#include "service/kafka/message/message_writer.h"
#include "service/kafka/message/topic_ids.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/partition_list.h"

namespace neardup {

// As of a service that delivers into the log of its cluster: what producers and start checks need.
KafkaOptions options_of_log(const KafkaOptions& options, const ClusterOptions& cluster);

struct AppendedBatch {
  std::vector<OffsetCommit> commits;  // of the partitions that have moved, with log marks
  AppendedBatchReport report;
};

// One thread. Errors are KafkaErrors; after one that is not retriable, the appender must not be
// used again.
class LogAppender {
 public:
  // `options`: those of the log. `retry` must outlive this.
  LogAppender(const KafkaOptions& options, const Rule& rule, const std::string& cluster,
              const MessageLimits& limits, RetryPolicy& retry);

  // The partitions, with SourcePosition::input as their places, and where the first chunk of each
  // begins; `ids`: of their topics and of the log, for the marks. Requires: no batch is open.
  void begin(Positions sources, TopicIds ids = {});

  // The partitions have no records before these positions, the places of which are the same.
  void skip_to(const Positions& positions);

  // Hands the records of the chunk to librdkafka, encoded. The batch ends with a chunk that says
  // so.
  void append(const Chunk& chunk);
  void end_batch();

  // Takes what the brokers have answered, for up to `wait`. Throws Stopped.
  void poll(std::chrono::milliseconds wait);

  // The oldest batch, if all of it is acknowledged.
  std::optional<AppendedBatch> take_acknowledged();

  // Batches that are not acknowledged yet.
  std::size_t waiting() const { return batches_.size(); }

  // Behind the last message of this appender in the log, as far as that is known.
  std::int64_t log_end() const { return log_end_; }

  // The mean size of a message so far, or an estimate without one.
  std::uint64_t mean_message_bytes() const;

 private:
  using Time = std::chrono::steady_clock::time_point;

  struct Sent {
    std::size_t source = 0;
    std::int64_t end = 0;  // of its range
    bool is_letter = false;
    DeliveryReport report;
  };
  struct Batch {
    std::deque<Sent> sent;  // librdkafka has pointers into it
    std::size_t acknowledged = 0;
    Time ended;
    AppendedBatchReport report;
  };

  void divide(const SketchedBatch& batch);
  void append(std::size_t source, std::int64_t end, const Chunk& chunk);
  void send(std::size_t source, EncodedChunk& chunk);
  void bury(const Chunk& chunk, std::size_t record, std::string_view reason,
            std::string_view detail);
  void send(const OutgoingMessage& message, std::size_t source, std::int64_t end);
  std::vector<OffsetCommit> commits_of(const Batch& batch);

  ChunkEncoder encoder_;
  const MessageLimits limits_;
  const bool writes_letters_;
  const std::string log_;  // its topic
  RetryPolicy& retry_;
  TopicIds ids_;
  Positions sources_;  // `offset`: the end of what was handed to librdkafka
  std::vector<std::vector<std::uint32_t>> places_;  // of the records of a chunk, by source
  std::vector<std::optional<TraceContext>> traces_;
  Batch open_;
  std::deque<Batch> batches_;
  std::uint64_t messages_ = 0;
  std::uint64_t bytes_ = 0;
  std::int64_t log_end_ = 0;
  Producer producer_;  // last: it writes to the reports of the batches
};

// How full the log is: whether those who append to it wait.
class LogFill {
 public:
  // The references must outlive this.
  LogFill(const Consumer& consumer, const ClusterOptions& options);

  // Asks the brokers for the end of the log, unless that was done a moment ago. To be called often,
  // by one thread.
  void look();

  // More bytes than cluster.log.max_lag are not decided. An estimate: it takes the messages of
  // others to be as long as those of `appender`. Any thread.
  bool is_full(const LogAppender& appender, const Decided& decided) const;

 private:
  const Consumer& consumer_;
  const ClusterOptions& options_;
  std::chrono::steady_clock::time_point next_look_;
  std::atomic<std::int64_t> end_{0};  // as last seen
};

}  // namespace neardup
