#include "service/kafka/read/replay_source.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/message/message_record.h"
#include "service/records/chunk_builder.h"

namespace neardup {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Failure(Exit::kUnavailable,
                what +
                    "\nThe flags that were delivered cannot be decided again, so nothing was sent. "
                    "Restore a newer copy of the state, or build a new one with another "
                    "kafka.group_id and a separate output topic.");
}

[[noreturn]] void refuse_unflagged(const TopicPartition& partition, std::int64_t found,
                                   std::int64_t upto) {
  refuse(
      fmt::format("{} has a record at offset {} that was not flagged: the delivered flags continue "
                  "at offset {}",
                  to_text(partition), found, upto));
}

[[noreturn]] void refuse_other_history(const DeliveredRecord& delivered, std::int64_t position) {
  throw Failure(
      Exit::kUnavailable,
      fmt::format(
          "the state has read {} up to offset {}, but the delivered flags continue at offset {} "
          "(seq {}): it is not of the same history (two copies of it were used). Nothing was sent. "
          "Keep the copy whose last batch is the committed one, or restore an earlier backup",
          to_text(delivered.source.partition), position, delivered.source.offset, delivered.seq));
}

}  // namespace

OrderedInput::OrderedInput(const Consumer& consumer, std::size_t partitions, RetryPolicy& retry)
    : consumer_(consumer), retry_(retry), queues_(consumer.queues(partitions, retry.log())) {}

// Returns the oldest offset of the partition. Throws when the record is before it or after the end.
std::int64_t OrderedInput::require_kept(const Position& record) {
  const Watermarks marks = await_watermarks(consumer_, record.partition, retry_);
  if (record.offset < marks.low) {
    refuse(fmt::format(
        "{} records of {} were deleted before they were read again: the next one "
        "would be offset {}, the oldest one there is {}",
        marks.low - record.offset, to_text(record.partition), record.offset, marks.low));
  }
  if (record.offset > marks.high) {
    refuse(
        fmt::format("{} ends at offset {}, but the delivered flags continue at offset {}: the "
                    "topic was truncated or recreated",
                    to_text(record.partition), marks.high, record.offset));
  }
  return marks.low;
}

void OrderedInput::start(const Position& record, std::int64_t position) {
  const std::int64_t low = require_kept(record);
  const std::int64_t from = position == kUnknownOffset ? record.offset : position;
  queues_->start(record.partition, std::max(from, low));
  held_[record.partition].reset();
}

// The next record of the partition; null if there is none before `upto`.
KafkaMessage OrderedInput::next(const TopicPartition& partition, std::int64_t upto) {
  KafkaMessage& held = held_[partition];
  if (held) return std::move(held);
  while (true) {
    KafkaMessage event = queues_->await(partition, retry_);
    if (event->err == RD_KAFKA_RESP_ERR_NO_ERROR) return event;
    const bool ends = event->err == RD_KAFKA_RESP_ERR__PARTITION_EOF;
    if (ends && event->offset >= upto) return {};
    const std::int64_t low = require_kept({partition, upto});
    if (!ends) queues_->start(partition, low);
  }
}

KafkaMessage OrderedInput::take(const Position& record, std::int64_t position) {
  if (!held_.contains(record.partition)) start(record, position);
  KafkaMessage message = next(record.partition, record.offset + 1);
  if (!message || message->offset > record.offset) {
    refuse(fmt::format("the record at offset {} of {} was flagged but is no longer there: {}",
                       record.offset, to_text(record.partition),
                       message ? fmt::format("the next one there is offset {}", message->offset)
                               : "the topic ends there"));
  }
  if (message->offset < record.offset) {
    refuse_unflagged(record.partition, message->offset, record.offset);
  }
  return message;
}

void OrderedInput::require_none(const Position& end, std::int64_t position) {
  if (position >= end.offset) return;
  if (!held_.contains(end.partition)) {
    if (position == kUnknownOffset) return;
    start(end, position);
  }
  const KafkaMessage message = next(end.partition, end.offset);
  if (message && message->offset < end.offset) {
    refuse_unflagged(end.partition, message->offset, end.offset);
  }
}

ReplaySource::ReplaySource(const ReadContext& context, std::unique_ptr<DeliveredOrder> order,
                           const ReplayRange& range, std::uint64_t max_record_bytes,
                           ReplayCheck& check)
    : order_(std::move(order)),
      target_(range.target),
      max_record_bytes_(max_record_bytes),
      check_(check),
      watch_(context.watch),
      retry_([this, &retry = context.retry] { return interrupted_ || retry.stop(); },
             context.retry.events(), context.retry.log()),
      input_(context.consumer, range.target.positions.size(), retry_),
      positions_(range.head.positions),
      next_seq_(range.head.mark.next_seq) {}

bool ReplaySource::read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) {
  const Busy busy(watch_, ServiceStage::kReader);
  if (failure_) std::rethrow_exception(std::exchange(failure_, {}));
  ChunkBuilder builder(chunk);
  std::vector<DeliveredRecord> delivered;
  chunk.first_read = std::chrono::steady_clock::now();
  try {
    while (!ended_ && next_seq_ < target_.mark.next_seq && chunk.records.size() < max_records &&
           chunk.buffer.size() < max_bytes) {
      DeliveredRecord record = order_->next();
      take(record, builder);
      delivered.push_back(std::move(record));
      ++next_seq_;
    }
    if (!ended_ && next_seq_ == target_.mark.next_seq) {
      end_at_target();
      chunk.ends_batch = true;
    }
  } catch (const Stopped&) {
    ended_ = true;
  } catch (...) {
    if (chunk.records.empty()) throw;
    failure_ = std::current_exception();
  }
  builder.seal();
  check_.expect(std::move(delivered));
  return chunk.ends_batch || !chunk.records.empty();
}

void ReplaySource::take(DeliveredRecord& delivered, ChunkBuilder& builder) {
  const std::size_t index = index_of(delivered);
  std::int64_t& position = positions_[index].offset;
  if (delivered.source.offset < position) refuse_other_history(delivered, position);
  message_ = input_.take(delivered.source, position);
  builder.add(make_record(*message_, index, max_record_bytes_, headers_));
  position = delivered.source.offset + 1;
}

std::size_t ReplaySource::index_of(const DeliveredRecord& delivered) {
  if (delivered.places && delivered.places != places_) take_places(*delivered.places);
  places_ = delivered.places;
  const auto found =
      std::ranges::find(positions_, delivered.source.partition, &Position::partition);
  const auto index = static_cast<std::size_t>(found - positions_.begin());
  if (found == positions_.end()) positions_.push_back({delivered.source.partition, kUnknownOffset});
  return index;
}

// Adds the partitions at their delivered places, since the places are part of the flags in the
// chain. Throws when the state has others.
void ReplaySource::take_places(const Positions& places) {
  const bool nothing_read = std::ranges::all_of(
      positions_, [](const Position& one) { return one.offset == kUnknownOffset; });
  if (nothing_read) positions_.clear();
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i == positions_.size()) positions_.push_back({places[i].partition, kUnknownOffset});
    if (positions_[i].partition == places[i].partition) continue;
    throw Failure(Exit::kUnavailable,
                  fmt::format("place {} of the state is {}, that of what was delivered is {}: the "
                              "copy is of another state",
                              i, to_text(positions_[i].partition), to_text(places[i].partition)));
  }
}

void ReplaySource::end_at_target() {
  for (const Position& position : positions_) {
    if (find(target_.positions, position.partition) != nullptr) continue;
    throw Failure(Exit::kUnavailable,
                  fmt::format("records of {} were delivered, but the group has committed no offset "
                              "of it",
                              to_text(position.partition)));
  }
  for (const Position& wanted : target_.positions) {
    const auto found = std::ranges::find(positions_, wanted.partition, &Position::partition);
    if (found == positions_.end()) {
      positions_.push_back(wanted);
      continue;
    }
    if (found->offset > wanted.offset) {
      throw Failure(Exit::kUnavailable,
                    fmt::format("{} is committed at offset {}, but records up to offset {} were "
                                "delivered",
                                to_text(wanted.partition), wanted.offset, found->offset));
    }
    input_.require_none(wanted, found->offset);
    found->offset = wanted.offset;
  }
  ended_ = true;
}

std::vector<std::pair<std::string, std::string>> ReplaySource::positions() {
  return {{std::string(kMetaPositions), encode_positions(positions_)}};
}

}  // namespace neardup
