// The records of all partitions assigned to this instance, in the order in which they come.
//
// Offsets without a record (transaction markers, compacted or aborted records) are passed over; at
// the end of a partition its position is the end offset that the broker reports.
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

#include "metrics/kafka_probe.h"
#include "pipeline/ports.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/read/assignment.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/stall_detector.h"
#include "service/monitor/watchdog.h"

namespace neardup {

struct KafkaSourceOptions {
  Assignment assignment;
  std::uint64_t max_record_bytes = std::uint64_t{32} << 20;
  // From a batch's first record to its end; while more are waiting already, five times that, and
  // 100 ms at least.
  std::chrono::milliseconds linger{200};
  std::chrono::milliseconds refresh{60'000};        // looks for new partitions
  std::chrono::milliseconds idle_commit{3600'000};  // ends an empty batch after so long
  bool skip_gap = false;  // records that are gone are passed over, not an error
};

class KafkaSource : public Source {
 public:
  // Reads on from `positions`. `end_batch_at`: a batch ends exactly at this offset of the only
  // partition. Throws Failure(kUnavailable) when records between a position and what is there are
  // gone. All references must outlive the source.
  KafkaSource(const Consumer& consumer, Positions positions, const KafkaSourceOptions& options,
              std::optional<std::int64_t> end_batch_at, RetryPolicy& retry, StageWatch& watch,
              KafkaProbe& probe);

  // Ends when `retry` is stopped. Besides batches full or lingered, an empty batch ends
  // when positions moved without records, and every `idle_commit`.
  bool read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) override;
  std::vector<std::pair<std::string, std::string>> positions() override;
  // Also ends what `read` tries again and again while brokers do not answer.
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
  void look_for_partitions();
  void read_anew();

  const Consumer& consumer_;
  std::unique_ptr<PartitionReader> reader_;
  Positions positions_;
  KafkaSourceOptions options_;
  std::optional<std::int64_t> end_batch_at_;
  std::atomic<bool> interrupted_{false};
  RetryPolicy retry_;  // ends with that of the service, or when the source is interrupted
  StageWatch& watch_;
  KafkaProbe& probe_;
  KafkaMessage held_;           // read, and belongs to the next batch
  std::exception_ptr failure_;  // came behind records, and is thrown by the next read
  std::size_t last_index_ = 0;
  std::vector<RawHeader> headers_;
  bool has_records_ = false;  // in the current batch
  Time first_record_;
  const std::chrono::milliseconds longest_batch_;
  RateLimitedLog errors_;
  StallDetector stall_detector_;
  bool idle_ = false;  // the last poll gave nothing
  // The reader fetches one of the partitions no more.
  bool reader_stopped_ = false;
  Time next_reader_;    // not made before
  bool moved_ = false;  // positions, without a record
  Time moved_since_;
  Time last_end_;
  Time next_refresh_;
};

}  // namespace neardup
