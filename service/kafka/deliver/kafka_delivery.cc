#include "service/kafka/deliver/kafka_delivery.h"

#include <fmt/core.h>

#include <algorithm>

#include "pipeline/base/failure.h"
#include "service/failpoint.h"
#include "service/kafka/message/flag_codec.h"
#include "service/kafka/message/message_writer.h"
#include "service/kafka/store/batch_text.h"
#include "service/kafka/store/state_head.h"
#include "storage/store.h"

namespace neardup {
namespace {

using std::chrono::steady_clock;

// Equal up to the order of the partitions.
bool same_places(Positions a, Positions b) {
  std::ranges::sort(a, {}, &Position::partition);
  std::ranges::sort(b, {}, &Position::partition);
  return a == b;
}

Positions positions_in(const WriteSet& writes) {
  for (const auto& [key, value] : writes.meta) {
    if (key == kMetaPositions) return decode_positions(value).value();
  }
  return {};
}

}  // namespace

KafkaDelivery::KafkaDelivery(DeliveryStart start, KafkaDeliveryOptions options,
                             DeliveryThread& thread, StageWatch& watch, Log& log)
    : head_(std::move(start.head)),
      replay_(std::move(start.replay)),
      check_(start.check),
      stored_(std::move(start.stored)),
      options_(std::move(options)),
      thread_(thread),
      watch_(watch),
      log_(log),
      last_batch_(steady_clock::now()),
      chain_(head_.mark.chain),
      batch_(std::make_unique<DecidedBatch>()) {}

void KafkaDelivery::add(const RawChunk& chunk, std::vector<Flag>& flags) {
  wanted_.clear();
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::size_t begin = encoded_.size();
    encode_flag(flags[i], encoded_);
    chain_.add(std::string_view(encoded_).substr(begin));
    if (replay_ && check_ != nullptr) check_->compare(flags[i], chain_);
    if (!sends_batches()) continue;
    if (needs_record(options_.mode, flags[i])) wanted_.push_back(&chunk.records[i]);
    keep_trace(chunk.records[i], batch_->stored.flags.size() + i);
  }
  batch_->held.add(wanted_);
  if (sends_batches()) batch_->arrivals.add(chunk);
  std::ranges::move(flags, std::back_inserter(batch_->stored.flags));
}

// Stored with the batch: its flags may be sent after a restart, when the messages are not in
// memory.
void KafkaDelivery::keep_trace(const RawRecord& record, std::size_t flag) {
  std::optional<TraceContext> trace = trace_context(record.headers);
  if (!trace) return;
  batch_->stored.traces.resize(flag);
  batch_->stored.traces.push_back(std::move(trace));
}

void KafkaDelivery::before_commit(WriteSet& writes) {
  StoredBatch& stored = batch_->stored;
  stored.rule = options_.rule;
  stored.from = std::exchange(head_.positions, positions_in(writes));
  stored.to = head_.positions;
  stored.before = head_.mark;
  if (!stored.flags.empty()) head_.mark.next_seq = stored.flags.back().seq + 1;
  head_.mark.chain = chain_.digits();
  sends_ = sends_batches() && is_news();
  if (sends_) number_batch(writes);
  if (replay_) end_replay();
  if (followed_ != nullptr) prove_followed(writes);
  trim(writes);
  writes.meta.emplace_back(kMetaMark, encode_mark(head_.mark));
  committed_ = std::exchange(batch_, std::make_unique<DecidedBatch>());
  encoded_.clear();
  watch_.busy(ServiceStage::kDecider);
  failpoint("before_store");
}

bool KafkaDelivery::is_news() const {
  const StoredBatch& stored = batch_->stored;
  return !stored.flags.empty() || stored.from != stored.to ||
         steady_clock::now() - last_batch_ > options_.idle_commit / 2;
}

void KafkaDelivery::number_batch(WriteSet& writes) {
  StoredBatch& stored = batch_->stored;
  stored.after = head_.mark;
  stored.after.batch = ++head_.mark.batch;
  if (!stored.traces.empty()) stored.traces.resize(stored.flags.size());
  last_batch_ = steady_clock::now();
  if (complete_) complete_(writes, stored);
  thread_.wait_for_room();
  writes.outbox.emplace_back(head_.mark.batch, encode_batch(stored, encoded_));
  stored_.push_back(head_.mark.batch);
  const BatchScope scope(stored);
  log_.debug("batch decided", {{"flags", stored.flags.size()}});
}

// Once the target is reached, the older state equals the newer one: it takes over its mark.
void KafkaDelivery::end_replay() {
  const CommitMetadata& wanted = replay_->mark;
  if (!same_places(head_.positions, replay_->positions)) return;
  const bool proved = check_ != nullptr || head_.mark.chain == wanted.chain;
  if (!proved || head_.mark.next_seq != wanted.next_seq) refuse_flags(wanted);
  head_.mark = wanted;
  chain_ = Chain(wanted.chain);
  replay_.reset();
}

// Batches of the other decider end elsewhere: its mark is taken over where both end at once. All
// that this one has left in the outbox is delivered by then.
void KafkaDelivery::prove_followed(WriteSet& writes) {
  const std::optional<CommitMetadata> wanted = followed_->take(head_.positions);
  if (!wanted) return;
  if (head_.mark.chain != wanted->chain || head_.mark.next_seq != wanted->next_seq) {
    refuse_flags(*wanted);
  }
  head_.mark = *wanted;
  writes.erase_outbox.insert(writes.erase_outbox.end(), stored_.begin(), stored_.end());
  stored_.clear();
}

void KafkaDelivery::refuse_flags(const CommitMetadata& wanted) const {
  throw Failure(
      Exit::kUnavailable,
      fmt::format("{} does not lead to the flags that were delivered: at offset {} it is at "
                  "\"{}\", but Kafka has \"{}\". The input has changed since (retention, "
                  "compaction), or the state was used by another command. Restore a newer copy, or "
                  "build a new state with another kafka.group_id and a separate output topic.",
                  followed_ == nullptr ? "the restored state" : "the state of this decider",
                  head_.positions.front().offset, encode_mark(head_.mark), encode_mark(wanted)));
}

std::uint64_t KafkaDelivery::replay_left() const {
  return replay_ ? replay_->mark.next_seq - std::min(head_.mark.next_seq, replay_->mark.next_seq)
                 : 0;
}

// Erases delivered batches from the outbox.
void KafkaDelivery::trim(WriteSet& writes) {
  if (!sends_batches()) return;
  const std::uint64_t delivered = thread_.delivered();
  const auto kept = std::ranges::find_if(stored_, [&](auto n) { return n > delivered; });
  writes.erase_outbox.insert(writes.erase_outbox.end(), stored_.begin(), kept);
  stored_.erase(stored_.begin(), kept);
}

void KafkaDelivery::forget_delivered(Store& store) {
  WriteSet writes;
  trim(writes);
  if (!writes.erase_outbox.empty()) store.commit(writes);
}

void KafkaDelivery::after_commit() {
  failpoint("after_store");
  watch_.idle(ServiceStage::kDecider);
  if (sends_) thread_.push(std::move(committed_));
}

}  // namespace neardup
