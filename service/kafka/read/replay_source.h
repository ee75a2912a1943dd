// The records that were delivered after a state was copied, read again in the same order, so that
// the copy decides them again.
//
// The reading thread calls all of it but `interrupt`; ReplayCheck hands what was delivered on to
// the deciding thread, which compares. Nothing is sent meanwhile. Each batch is durable with its
// positions and its chain once the state has committed it, so that the next start after a crash
// replays from the last of them. The replay is over at the mark that Kafka has, which the state
// then takes over. A record that is missing or was never flagged ends the process before that.
#pragma once

#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/ports.h"
#include "service/kafka/read/reading.h"
#include "service/kafka/store/delivered.h"
#include "service/kafka/store/recovery_plan.h"

namespace neardup {

// Records of the input partitions, one by one in an order that the caller gives.
class OrderedInput {
 public:
  // The references must outlive this.
  OrderedInput(const Consumer& consumer, std::size_t partitions, RetryPolicy& retry);

  // Reads the record of this partition and offset. `position`: the previous position of the
  // partition, from which on there must be no other record; kUnknownOffset: not checked. Requires:
  // ascending offsets for each partition. Throws Stopped, and Failure(kUnavailable) with both
  // offsets when the record is missing or another one comes before it.
  KafkaMessage take(const Position& record, std::int64_t position);

  // Throws Failure(kUnavailable) when there is a record in [position, end).
  void require_none(const Position& end, std::int64_t position);

 private:
  KafkaMessage next(const TopicPartition& partition, std::int64_t upto);
  void start(const Position& record, std::int64_t position);
  std::int64_t require_kept(const Position& record);

  const Consumer& consumer_;
  RetryPolicy& retry_;
  std::unique_ptr<PartitionQueues> queues_;
  std::map<TopicPartition, KafkaMessage> held_;  // started partitions: a record read ahead, or null
};

// The records after `head` up to `target`.
struct ReplayRange {
  const StateHead& head;
  const StateHead& target;
};

class ReplaySource : public Source {
 public:
  // `check` gets the delivered record for each record that is read, and must outlive the source.
  ReplaySource(const ReadContext& context, std::unique_ptr<DeliveredOrder> order,
               const ReplayRange& range, std::uint64_t max_record_bytes, ReplayCheck& check);

  // Ends with the batch that reaches the target, or when `context.retry` is stopped.
  bool read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) override;
  std::vector<std::pair<std::string, std::string>> positions() override;
  void interrupt() override { interrupted_ = true; }

 private:
  void take(DeliveredRecord& delivered, class ChunkBuilder& builder);
  std::size_t index_of(const DeliveredRecord& delivered);
  void take_places(const Positions& places);
  void end_at_target();

  const std::unique_ptr<DeliveredOrder> order_;
  const StateHead target_;
  const std::uint64_t max_record_bytes_;
  ReplayCheck& check_;
  StageWatch& watch_;
  std::atomic<bool> interrupted_{false};
  RetryPolicy retry_;  // stops also when interrupted
  OrderedInput input_;
  Positions positions_;
  std::shared_ptr<const Positions> places_;  // the last ones checked
  Seq next_seq_;
  bool ended_ = false;
  std::exception_ptr failure_;  // for the next read: this one still returned records
  KafkaMessage message_;
  std::vector<RawHeader> headers_;
};

}  // namespace neardup
