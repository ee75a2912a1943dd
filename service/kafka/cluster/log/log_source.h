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

#include "pipeline/ports.h"
#include "service/cluster/log_order.h"
#include "service/kafka/cluster/log/log_counter.h"
#include "service/kafka/read/kafka_source.h"
#include "service/kafka/store/delivered.h"

namespace neardup {

// The records of the messages that count.
class LogSource : public Source {
 public:
  // `messages`: those of the log, each as one record. `state`: how far the log was read, as stored
  // with the position where `messages` begins.
  LogSource(const LogContext& context, std::unique_ptr<Source> messages, LogState state);

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

// How a decider follows another one.
struct Following {
  Position start;               // where it begins to read the log
  DeliveredMarks& marks;        // get each mark that the leader commits
  std::function<bool()> leads;  // true: it has become the leader
};

// The same, up to each mark that the leading decider commits.
class FollowSource : public Source {
 public:
  // `records` are those of `messages`, a part of it. A batch ends at each mark. The source ends
  // when it leads. The references must outlive this.
  FollowSource(const ReadContext& context, std::unique_ptr<Source> records, KafkaSource& messages,
               Following following);

  bool read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) override;
  std::vector<std::pair<std::string, std::string>> positions() override {
    return records_->positions();
  }
  void interrupt() override;

 private:
  bool ends() const { return interrupted_ || following_.leads() || retry_.stop(); }
  std::optional<CommittedOffset> read_committed();
  void look_for_mark();

  const std::unique_ptr<Source> records_;
  KafkaSource& messages_;
  Position reached_;  // the last mark, or the start
  const Consumer& consumer_;
  const Following following_;
  RetryPolicy& retry_;
  StageWatch& watch_;
  std::atomic<bool> interrupted_{false};
  std::int64_t target_;  // the offset up to which records are read
};

}  // namespace neardup
