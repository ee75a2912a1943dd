// The records of all partitions assigned to this instance, in the order of arrival.
//
// The reading thread calls all of it but `interrupt`, which may come from any thread; librdkafka
// fetches in separate threads. Nothing is durable here. A service commits the positions behind a
// batch with its state, a sketcher commits them to the group once the log has the batch, and after
// a crash the next process reads on from there. Between records it looks for new partitions, for
// recreated topics, and for partitions that stall.
//
// Offsets without a record (transaction markers, compacted or aborted records) are skipped: at the
// end of a partition, its position becomes the end offset that the broker reports.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/ports.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/read/assignment.h"
#include "service/kafka/read/reading.h"
#include "service/kafka/read/stall_detector.h"
#include "service/kafka/read/topic_watch.h"

namespace neardup {

struct KafkaSourceOptions {
  Assignment assignment;  // for new partitions; without topics there are none
  std::uint64_t max_record_bytes = std::uint64_t{32} << 20;
  // A batch ends this long after its first record, once no more records are waiting. While some
  // are, it ends after five times as long, and 100 ms at least.
  std::chrono::milliseconds linger{200};
  std::chrono::milliseconds refresh{60'000};        // between looks for new partitions
  std::chrono::milliseconds idle_commit{3600'000};  // an empty batch ends after this time
  bool skip_gap = false;                            // deleted records are skipped, not an error
  TopicWatch* topics = nullptr;  // knows of which topics the positions are; must outlive the source
  bool may_be_made_again = false;  // with `skip_gap`, such a topic is read from its beginning
  std::optional<std::int64_t> end_batch_at = {};  // as KafkaSource::end_batch_at
};

class KafkaSource : public Source {
 public:
  // Reads from `positions` on. Throws Failure(kUnavailable) when records from a position on were
  // deleted or a topic was recreated, and `skip_gap` is not set.
  KafkaSource(const ReadContext& context, Positions positions, const KafkaSourceOptions& options);

  // False when `context.retry` is stopped. An empty batch ends a short time after positions have
  // moved without records, and every `idle_commit`.
  bool read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) override;
  // Throws TopicMadeAgain when the records since the last call may be of another topic.
  std::vector<std::pair<std::string, std::string>> positions() override;
  // A batch ends exactly at this offset of the only partition. To be called between two reads.
  void end_batch_at(std::int64_t offset) { end_batch_at_ = offset; }
  // Has the batch ended at the last such offset?
  bool ended_batch() const { return !end_batch_at_; }
  // Also ends the retries of `read` while brokers do not answer.
  void interrupt() override { interrupted_ = true; }

 private:
  using Time = std::chrono::steady_clock::time_point;

  bool fill(std::size_t max_records, std::uint64_t max_bytes, class ChunkBuilder& builder,
            RawChunk& chunk);
  Time batch_end() const;
  int wait_ms(Time now) const;
  std::size_t index_of(const rd_kafka_message_t& message);
  bool take(KafkaMessage message, class ChunkBuilder& builder);
  bool on_event(const rd_kafka_message_t& message);
  void on_refused_offset(const rd_kafka_message_t& message);
  bool reached(std::size_t index, std::int64_t offset);
  void move_to(std::size_t index, std::int64_t offset);
  bool check_gap(std::size_t index);
  void require_topic(const std::string& topic);
  void take_new_topics();
  void require_partition(const TopicPartition& partition);
  void require_same_topics();
  void look_for_partitions();
  void look_for_stalls();
  void read_anew();

  const Consumer& consumer_;
  std::unique_ptr<PartitionReader> reader_;
  Positions positions_;
  KafkaSourceOptions options_;
  std::optional<std::int64_t> end_batch_at_;
  std::atomic<bool> interrupted_{false};
  RetryPolicy retry_;  // stopped with that of the service, and when the source is interrupted
  StageWatch& watch_;
  KafkaProbe& probe_;
  KafkaMessage held_;           // already read, the first of the next batch
  std::exception_ptr failure_;  // for the next read: this one still returned records
  std::size_t last_index_ = 0;
  std::vector<RawHeader> headers_;
  bool has_records_ = false;  // in the current batch
  Time first_record_;
  const std::chrono::milliseconds longest_batch_;
  RateLimitedLog errors_;
  StallDetector stall_detector_;
  bool idle_ = false;  // the last poll returned nothing
  // The reader has stopped fetching one of the partitions.
  bool reader_stopped_ = false;
  Time next_reader_;    // the earliest time for a new reader
  bool moved_ = false;  // positions have moved in this batch without a record
  Time moved_since_;
  Time last_end_;
  Time next_refresh_;
  bool put_off_ = false;  // new partitions are added once `end_batch_at_` is reached
};

}  // namespace neardup
