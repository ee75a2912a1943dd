// The metrics of a process that works with Kafka, in addition to those of every service.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "metrics/registry.h"
#include "pipeline/base/mutex.h"
#include "service/kafka/client/client_events.h"
#include "service/kafka/deliver/delivery_thread.h"
#include "service/kafka/message/positions.h"

namespace neardup {

// Where the input partitions begin and end, and their committed offsets. Any thread may call it.
class PartitionBoard {
 public:
  using Clock = std::chrono::steady_clock;
  struct Line {
    TopicPartition partition;
    std::int64_t committed = 0;
    std::optional<std::int64_t> begin;  // nothing: not known yet
    std::optional<std::int64_t> end;    // as `begin`
    Clock::duration age{};              // since `committed` moved or was first set
  };

  // Sets the committed offsets of these partitions, and adds new ones.
  void committed(const Positions& positions, Clock::time_point now);
  // Forgets all other partitions.
  void keep(const std::vector<TopicPartition>& partitions);
  // Set the offsets of begin and end; unknown partitions are ignored.
  void begins(const Positions& positions);
  void ends(const Positions& positions);

  std::vector<TopicPartition> partitions() const;
  std::vector<Line> lines(Clock::time_point now) const;

 private:
  struct Entry {
    std::int64_t committed = 0;
    Clock::time_point moved;
    std::optional<std::int64_t> begin;
    std::optional<std::int64_t> end;
  };
  void set(std::optional<std::int64_t> Entry::*where, const Positions& positions);

  mutable Mutex mutex_;
  std::map<TopicPartition, Entry> entries_ GUARDED_BY(mutex_);
};

// One thread sets, others read.
struct RecoveryProgress {
  std::atomic<std::uint64_t> batches{0};  // stored batches that this start has to deliver
  std::atomic<std::uint64_t> sent{0};
  std::atomic<std::int64_t> replay_records{0};  // still to be replayed
};

class KafkaMetrics {
 public:
  // Both must outlive this.
  KafkaMetrics(MetricRegistry& registry, const ClientEvents& events);

  PartitionBoard& partitions() { return partitions_; }
  RecoveryProgress& recovery() { return recovery_; }

  // Exports the batches of `thread` as long as the result lives.
  [[nodiscard]] std::unique_ptr<MetricRegistry::Attachment> show_outbox(
      const DeliveryThread& thread);

 private:
  void read_recovery(Samples& samples) const;
  void read_partitions(Samples& samples) const;

  MetricRegistry& registry_;
  const ClientEvents& client_events_;
  PartitionBoard partitions_;
  RecoveryProgress recovery_;
  std::unique_ptr<MetricRegistry::Attachment> shown_;  // last: it reads all of the above
};

}  // namespace neardup
