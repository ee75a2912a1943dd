#include "service/kafka/monitor/kafka_metrics.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace neardup {
namespace {

double seconds_of(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

void PartitionBoard::committed(const Positions& positions, Clock::time_point now) {
  const MutexLock lock(mutex_);
  for (const Position& position : positions) {
    const auto [at, added] = entries_.try_emplace(position.partition);
    Entry& entry = at->second;
    if (added || entry.committed != position.offset) entry.moved = now;
    entry.committed = position.offset;
  }
}

void PartitionBoard::keep(const std::vector<TopicPartition>& partitions) {
  const MutexLock lock(mutex_);
  std::erase_if(entries_, [&](const auto& entry) {
    return std::ranges::find(partitions, entry.first) == partitions.end();
  });
}

void PartitionBoard::begins(const Positions& positions) { set(&Entry::begin, positions); }

void PartitionBoard::ends(const Positions& positions) { set(&Entry::end, positions); }

void PartitionBoard::set(std::optional<std::int64_t> Entry::*where, const Positions& positions) {
  const MutexLock lock(mutex_);
  for (const Position& position : positions) {
    const auto at = entries_.find(position.partition);
    if (at != entries_.end()) at->second.*where = position.offset;
  }
}

std::vector<TopicPartition> PartitionBoard::partitions() const {
  const MutexLock lock(mutex_);
  std::vector<TopicPartition> partitions;
  for (const auto& [partition, entry] : entries_) partitions.push_back(partition);
  return partitions;
}

std::vector<PartitionBoard::Line> PartitionBoard::lines(Clock::time_point now) const {
  const MutexLock lock(mutex_);
  std::vector<Line> lines;
  for (const auto& [partition, entry] : entries_) {
    lines.push_back({partition, entry.committed, entry.begin, entry.end, now - entry.moved});
  }
  return lines;
}

KafkaMetrics::KafkaMetrics(MetricRegistry& registry, const ClientEvents& events)
    : registry_(registry), client_events_(events), shown_(registry.attach([this](Samples& samples) {
        samples.set(Metric::kBrokersReachable, client_events_.brokers_down() ? 0 : 1);
        read_recovery(samples);
        read_partitions(samples);
      })) {}

void KafkaMetrics::read_recovery(Samples& samples) const {
  samples.set(Metric::kRecoveryBatches, static_cast<double>(recovery_.batches));
  samples.set(Metric::kRecoveryBatchesSent, static_cast<double>(recovery_.sent));
  samples.set(Metric::kReplayRecords, static_cast<double>(recovery_.replay_records));
}

void KafkaMetrics::read_partitions(Samples& samples) const {
  for (const PartitionBoard::Line& line : partitions_.lines(std::chrono::steady_clock::now())) {
    const std::vector<std::string> labels = {line.partition.topic,
                                             std::to_string(line.partition.partition)};
    const auto set = [&](Metric metric, double value) { samples.set(metric, value, labels); };
    set(Metric::kCommittedOffset, static_cast<double>(line.committed));
    set(Metric::kCommitAge, seconds_of(line.age));
    // Before anything was deleted, there is no end to how long a record can wait.
    if (line.begin.value_or(0) > 0) {
      set(Metric::kHeadroom, static_cast<double>(line.committed - *line.begin));
    }
    if (!line.end) continue;
    set(Metric::kEndOffset, static_cast<double>(*line.end));
    // The committed offset may be newer than the end offset.
    set(Metric::kLag, static_cast<double>(std::max<std::int64_t>(*line.end - line.committed, 0)));
  }
}

std::unique_ptr<MetricRegistry::Attachment> KafkaMetrics::show_outbox(
    const DeliveryThread& thread) {
  return registry_.attach([&thread](Samples& samples) {
    samples.set(Metric::kOutboxBatches, static_cast<double>(thread.undelivered()));
  });
}

}  // namespace neardup
