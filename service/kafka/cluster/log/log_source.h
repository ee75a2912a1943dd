// The log of a cluster as sources of records: the records that count, sketched by others, and the
// same up to what another decider has delivered.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "metrics/kafka_probe.h"
#include "pipeline/ports.h"
#include "pipeline/rule/rule.h"
#include "service/cluster/log_order.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/cluster/log/log_counter.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/kafka_source.h"
#include "service/kafka/store/delivered.h"
#include "service/log/log.h"
#include "service/monitor/watchdog.h"

namespace neardup {

// The records of the messages that count.
class LogSource : public Source {
 public:
  // `messages`: those of the log, each as one record. `cluster`: its uuid. `state`: how far the log
  // was read, as stored with the position where `messages` begins. The references must outlive
  // this.
  LogSource(std::unique_ptr<Source> messages, const Rule& rule, std::string cluster, LogState state,
            SimdLevel simd, KafkaProbe& probe, Log& log);

  // A message is not divided between two chunks, so there may be up to 255 records more than
  // `max_records`. Throws Failure(kUnavailable) for a message of a newer format.
  bool read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) override;
  // Those of the messages, and kMetaLogState.
  std::vector<std::pair<std::string, std::string>> positions() override;
  void interrupt() override { messages_->interrupt(); }

 private:
  void take(const RawRecord& raw, class ChunkBuilder& builder);
  void add(const RawRecord& raw, class ChunkBuilder& builder);

  const std::unique_ptr<Source> messages_;
  LogCounter counter_;
  RawChunk raw_;
  std::unique_ptr<SketchedBatch> batch_;
  std::exception_ptr failure_;           // for the next read: this one still returned records
  std::optional<std::int64_t> stopped_;  // the offset of the message that cannot be read
};

// The same, up to each mark that the leading decider commits.
class FollowSource : public Source {
 public:
  // `records` are those of `messages`, a part of it, which reads the log from `start` on. Each mark
  // that the other decider commits is given to `marks`, and a batch ends there. The source ends
  // when `leads` is true. The references must outlive this.
  FollowSource(std::unique_ptr<Source> records, KafkaSource& messages, const Position& start,
               const Consumer& consumer, DeliveredMarks& marks, std::function<bool()> leads,
               RetryPolicy& retry, StageWatch& watch);

  bool read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) override;
  std::vector<std::pair<std::string, std::string>> positions() override {
    return records_->positions();
  }
  void interrupt() override;

 private:
  bool ends() const { return interrupted_ || leads_() || retry_.stop(); }
  std::optional<CommittedOffset> read_committed();
  void look_for_mark();

  const std::unique_ptr<Source> records_;
  KafkaSource& messages_;
  Position reached_;  // the last mark, or the start
  const Consumer& consumer_;
  DeliveredMarks& marks_;
  const std::function<bool()> leads_;
  RetryPolicy& retry_;
  StageWatch& watch_;
  std::atomic<bool> interrupted_{false};
  std::int64_t target_;  // the offset up to which records are read
};

}  // namespace neardup
