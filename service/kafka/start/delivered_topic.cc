#include "service/kafka/start/delivered_topic.h"

#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/read/reading.h"

namespace neardup {
namespace {

constexpr std::int64_t kFewOffsets = 4096;  // reading this many is as fast as searching further

// A restart with at_least_once repeats batch.in_flight batches at most.
constexpr std::size_t kSeen = std::size_t{1} << 18;

constexpr std::string_view kRemedy =
    "\n"
    "An older state needs all of it to repeat its decisions, so nothing was sent. Restore a newer "
    "copy of the state, or build a new one with another kafka.group_id and a separate output "
    "topic.";

std::uint64_t hash_of(const DeliveredPiece& piece) {
  return XXH3_64bits(piece.value.data(), piece.value.size());
}

}  // namespace

DeliveredTopic::DeliveredTopic(const Consumer& consumer, const std::string& topic, Seq first,
                               Parse parse, RetryPolicy& retry)
    : consumer_(consumer), first_(first), parse_(std::move(parse)), retry_(retry) {
  const std::int32_t count = await_partition_counts(consumer_, {topic}, retry_).at(topic);
  for (std::int32_t p = 0; p < count; ++p) {
    Partition& partition = partitions_.emplace_back();
    partition.name = {topic, p};
  }
  queues_ = consumer_.queues(partitions_.size(), retry_.log());
}

void DeliveredTopic::start_at(Partition& partition, std::int64_t offset) {
  queues_->start(partition.name, offset);
  partition.next = offset;
  partition.end = 0;
  partition.started = true;
}

// Finds the offset by binary search: the pieces of a partition are in the order of their seqs.
void DeliveredTopic::start(Partition& partition) {
  const Watermarks marks = await_watermarks(consumer_, partition.name, retry_);
  std::int64_t before = marks.low;  // no needed piece is before this offset
  std::int64_t behind = marks.high;
  while (behind - before > kFewOffsets) {
    const std::int64_t middle = before + (behind - before) / 2;
    start_at(partition, middle);
    const std::optional<DeliveredPiece> piece = read(partition.name.partition);
    if (!piece || piece->next > first_) {
      behind = middle;
    } else {
      before = std::min(partition.next, behind);
    }
  }
  start_at(partition, before);
}

std::optional<DeliveredPiece> DeliveredTopic::read(std::size_t number) {
  Partition& partition = partitions_[number];
  if (!partition.started) start(partition);
  while (partition.end == 0 || partition.next < partition.end) {
    const KafkaMessage event = queues_->await(partition.name, retry_);
    if (partition.end == 0) partition.end = queues_->last_seen_end(partition.name);
    switch (event->err) {
      case RD_KAFKA_RESP_ERR_NO_ERROR:
        partition.next = event->offset + 1;
        if (auto piece = parse_(*event)) return piece;
        break;
      case RD_KAFKA_RESP_ERR__PARTITION_EOF:
        partition.next = event->offset;
        // The partition is empty, or only aborted transactions are left.
        if (event->offset >= queues_->last_seen_end(partition.name)) return {};
        break;
      default:
        throw Failure(Exit::kUnavailable,
                      fmt::format("{} lost messages at offset {} while they were read back: its "
                                  "retention is too short",
                                  to_text(partition.name), partition.next));
    }
  }
  return {};
}

DeliveredMerge::DeliveredMerge(std::string topic, std::size_t partitions, Seq first, Seq last,
                               Read read)
    : topic_(std::move(topic)),
      first_(first),
      last_(last),
      read_(std::move(read)),
      next_(first),
      heads_(partitions),
      ended_(partitions),
      seen_(kSeen) {}

DeliveredPiece DeliveredMerge::next() {
  do {
    for (std::optional<DeliveredPiece>& head : heads_) {
      if (!head || !holds_next(*head)) continue;
      DeliveredPiece piece = std::move(*head);
      head.reset();
      remember(piece);
      next_ = piece.next;
      return piece;
    }
  } while (read_heads());
  refuse_gap();
}

// Reads a new head for each partition that has none. False: there was nothing to read, since each
// partition has a head after the next record or has ended.
bool DeliveredMerge::read_heads() {
  bool read = false;
  for (std::size_t p = 0; p < heads_.size(); ++p) {
    if (heads_[p] && heads_[p]->next <= next_) {
      require_repeat(*heads_[p]);
      heads_[p].reset();
    }
    if (heads_[p] || ended_[p]) continue;
    heads_[p] = read_new(p);
    ended_[p] = !heads_[p];
    read = true;
  }
  return read;
}

std::optional<DeliveredPiece> DeliveredMerge::read_new(std::size_t partition) {
  while (std::optional<DeliveredPiece> piece = read_(partition)) {
    if (piece->next > next_) return piece;
    if (piece->first >= first_) require_repeat(*piece);
  }
  return {};
}

void DeliveredMerge::require_repeat(const DeliveredPiece& piece) const {
  const Seen& seen = seen_[piece.first % seen_.size()];
  if (seen.first == piece.first && seen.hash == hash_of(piece)) return;
  throw Failure(
      Exit::kUnavailable,
      fmt::format("topic {} has seq {} a second time, after seq {} and with other content: "
                  "it holds what another state delivered.{}",
                  topic_, piece.first, next_ - 1, kRemedy));
}

void DeliveredMerge::remember(const DeliveredPiece& piece) {
  seen_[piece.first % seen_.size()] = {piece.first, hash_of(piece)};
}

void DeliveredMerge::refuse_gap() const {
  Seq found = 0;
  for (const auto& head : heads_) {
    if (head && (found == 0 || head->first < found)) found = head->first;
  }
  std::string what;
  if (found == 0) {
    what = next_ == first_ ? fmt::format("topic {} has nothing of seq {} or later", topic_, first_)
                           : fmt::format("topic {} ends with seq {}", topic_, next_ - 1);
  } else if (next_ == first_) {
    what = fmt::format("topic {} begins with seq {}, but seq {} is needed", topic_, found, first_);
  } else {
    what = fmt::format(
        "topic {} has seq {} and next seq {}: the messages between are missing (is it "
        "compacted?)",
        topic_, next_ - 1, found);
  }
  throw Failure(Exit::kUnavailable,
                fmt::format("the state is at seq {}, and what was delivered up to seq {} cannot be "
                            "read back: {}.{}",
                            first_ - 1, last_ - 1, what, kRemedy));
}

}  // namespace neardup
