#include "service/kafka/read/kafka_source.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/failpoint.h"
#include "service/kafka/message/message_record.h"
#include "service/records/chunk_builder.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kLongestPoll{100};  // how soon a stop is noticed
constexpr milliseconds kMovedLinger{1000};
constexpr int kMostLingers = 5;
constexpr milliseconds kShortestLimit{100};
constexpr std::chrono::seconds kBetweenReaders{1};  // if a broker refuses offsets repeatedly
constexpr milliseconds kBetweenFailedLooks{5000};   // for new partitions

}  // namespace

KafkaSource::KafkaSource(const ReadContext& context, Positions positions,
                         const KafkaSourceOptions& options)
    : consumer_(context.consumer),
      positions_(std::move(positions)),
      options_(options),
      end_batch_at_(options.end_batch_at),
      retry_([this, &retry = context.retry] { return interrupted_ || retry.stop(); },
             context.retry.events(), context.retry.log()),
      watch_(context.watch),
      probe_(context.probe),
      longest_batch_(std::max(kMostLingers * options.linger, kShortestLimit)),
      errors_(context.retry.log(), kBetweenReadErrors),
      last_end_(steady_clock::now()),
      next_refresh_(last_end_) {
  take_new_topics();
  for (std::size_t i = 0; i < positions_.size(); ++i) check_gap(i);
  reader_ = consumer_.read(positions_);
}

bool KafkaSource::read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) {
  const Busy busy(watch_, ServiceStage::kReader);
  failpoint("before_read");
  if (failure_) std::rethrow_exception(std::exchange(failure_, {}));
  ChunkBuilder builder(chunk);
  try {
    chunk.ends_batch = fill(max_records, max_bytes, builder, chunk);
  } catch (...) {
    // The positions are already past the records of the chunk, so it must be returned first.
    if (chunk.records.empty()) throw;
    failure_ = std::current_exception();
  }
  builder.seal();
  if (!chunk.records.empty()) probe_.records_read(chunk.records.size(), chunk.buffer.size());
  return chunk.ends_batch || !chunk.records.empty();
}

// True: the batch ends here.
bool KafkaSource::fill(std::size_t max_records, std::uint64_t max_bytes, ChunkBuilder& builder,
                       RawChunk& chunk) {
  while (!retry_.stop() && chunk.records.size() < max_records && chunk.buffer.size() < max_bytes) {
    const Time now = steady_clock::now();
    if (reader_stopped_ && now >= next_reader_) read_anew();
    if (has_records_ && now >= first_record_ + longest_batch_) return true;
    if (now >= next_refresh_) look_for_partitions();
    KafkaMessage message = held_ ? std::move(held_) : reader_->poll(wait_ms(now));
    idle_ = !message;
    if (!message) {
      if (steady_clock::now() >= batch_end()) return true;
      continue;
    }
    if (chunk.records.empty()) chunk.first_read = steady_clock::now();
    const bool ends = message->err == RD_KAFKA_RESP_ERR_NO_ERROR ? take(std::move(message), builder)
                                                                 : on_event(*message);
    if (ends) return true;
  }
  return false;
}

KafkaSource::Time KafkaSource::batch_end() const {
  if (has_records_) return first_record_ + options_.linger;
  if (moved_) return moved_since_ + std::max(options_.linger, kMovedLinger);
  return last_end_ + options_.idle_commit;
}

int KafkaSource::wait_ms(Time now) const {
  const auto left = std::chrono::ceil<milliseconds>(batch_end() - now);
  return static_cast<int>(std::clamp<milliseconds>(left, {}, kLongestPoll).count());
}

std::vector<std::pair<std::string, std::string>> KafkaSource::positions() {
  require_same_topics();
  has_records_ = moved_ = false;
  last_end_ = steady_clock::now();
  std::vector<std::pair<std::string, std::string>> meta{
      {std::string(kMetaPositions), encode_positions(positions_)}};
  if (options_.topics != nullptr) {
    meta.emplace_back(kMetaTopicIds, encode_topic_ids(options_.topics->known()));
  }
  return meta;
}

std::size_t KafkaSource::index_of(const rd_kafka_message_t& message) {
  const char* topic = rd_kafka_topic_name(message.rkt);
  const auto matches = [&](const Position& position) {
    return position.partition.partition == message.partition && position.partition.topic == topic;
  };
  if (!matches(positions_[last_index_])) {
    const auto found = std::ranges::find_if(positions_, matches);
    last_index_ = static_cast<std::size_t>(found - positions_.begin());
  }
  return last_index_;
}

// Does `end_batch_at` end the batch before this offset? If so, moves the position there.
bool KafkaSource::reached(std::size_t index, std::int64_t offset) {
  if (!end_batch_at_ || offset < *end_batch_at_) return false;
  move_to(index, *end_batch_at_);
  end_batch_at_.reset();
  if (std::exchange(put_off_, false)) next_refresh_ = steady_clock::now();
  return true;
}

void KafkaSource::move_to(std::size_t index, std::int64_t offset) {
  if (offset <= positions_[index].offset) return;
  positions_[index].offset = offset;
  if (moved_) return;
  moved_ = true;
  moved_since_ = steady_clock::now();
}

bool KafkaSource::take(KafkaMessage message, ChunkBuilder& builder) {
  const std::size_t index = index_of(*message);
  std::int64_t& position = positions_[index].offset;
  if (message->offset < position) return false;  // already read
  if (reached(index, message->offset)) {
    held_ = std::move(message);
    return true;
  }
  builder.add(make_record(*message, index, options_.max_record_bytes, headers_));
  position = message->offset + 1;
  if (!has_records_) first_record_ = steady_clock::now();
  has_records_ = true;
  return reached(index, position);
}

// True: the batch ends here.
bool KafkaSource::on_event(const rd_kafka_message_t& message) {
  switch (message.err) {
    case RD_KAFKA_RESP_ERR__PARTITION_EOF: {
      retry_.events().brokers_up();
      const std::size_t index = index_of(message);
      if (reached(index, message.offset)) return true;
      move_to(index, message.offset);
      return false;
    }
    case RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET:
      on_refused_offset(message);
      return false;
    case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
    case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
    case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
      if (message.rkt != nullptr) require_topic(rd_kafka_topic_name(message.rkt));
      return false;
    default:
      break;
  }
  on_read_error(message, errors_);
  return false;
}

// Asks for a new reader: after this error librdkafka does not fetch the partition any more
// (auto.offset.reset: error), even if the broker was wrong and all records exist.
void KafkaSource::on_refused_offset(const rd_kafka_message_t& message) {
  const std::size_t index = index_of(message);
  reader_stopped_ = true;
  require_same_topics();
  if (check_gap(index)) return;
  errors_.write(LogLevel::kWarning, "offset refused without cause",
                {{"partition", to_text(positions_[index].partition)},
                 {"offset", positions_[index].offset},
                 {"reason", rd_kafka_message_errstr(&message)}});
}

// False: all records from the position on exist. True: some do not, and with `skip_gap` the
// position is now that of the oldest record. Throws Failure(kUnavailable) without `skip_gap`.
bool KafkaSource::check_gap(std::size_t index) {
  Position& position = positions_[index];
  const Watermarks marks = await_watermarks(consumer_, position.partition, retry_);
  if (position.offset >= marks.low && position.offset <= marks.high) return false;
  const bool deleted = position.offset < marks.low;
  const std::string what =
      deleted ? fmt::format(
                    "{} records of {} were deleted before they were read: the next one "
                    "would be offset {}, the oldest one there is {}",
                    marks.low - position.offset, to_text(position.partition), position.offset,
                    marks.low)
              : fmt::format(
                    "{} ends at offset {}, but records up to offset {} were read: the "
                    "topic was truncated or recreated",
                    to_text(position.partition), marks.high, position.offset);
  if (!options_.skip_gap) {
    throw Failure(
        Exit::kUnavailable,
        what + fmt::format("\nTo continue at offset {}, start once with --skip-gap{}", marks.low,
                           deleted ? "." : "; the records there then count as new."));
  }
  retry_.log().error("gap skipped", {{"partition", to_text(position.partition)},
                                     {"from", position.offset},
                                     {"to", marks.low},
                                     {"detail", what}});
  position.offset = marks.low;
  return true;
}

// No message of the old reader may outlive it.
void KafkaSource::read_anew() {
  held_.reset();  // the new reader reads it again
  reader_ = consumer_.read(positions_);
  reader_stopped_ = false;
  next_reader_ = steady_clock::now() + kBetweenReaders;
}

void KafkaSource::require_topic(const std::string& topic) {
  if (await_partition_counts(consumer_, {topic}, retry_).at(topic) > 0) return;
  throw Failure(
      Exit::kUnavailable,
      fmt::format("topic {} is gone: it was deleted while it was read. All records that "
                  "were read from it are flagged. Remove it from kafka.topics, or start a "
                  "new state.",
                  topic));
}

// With `skip_gap`, recreated topics are read from their beginning.
void KafkaSource::take_new_topics() {
  if (options_.topics == nullptr) return;
  TopicWatch& topics = *options_.topics;
  const TopicIds others = made_again(topics.known(), topics.ask(retry_));
  if (others.empty()) return;
  if (!options_.skip_gap || !options_.may_be_made_again) topics.refuse(others);
  for (Position& position : positions_) {
    if (!others.contains(position.partition.topic)) continue;
    require_partition(position.partition);
    const std::int64_t low = await_watermarks(consumer_, position.partition, retry_).low;
    retry_.log().error("gap skipped", {{"partition", to_text(position.partition)},
                                       {"from", position.offset},
                                       {"to", low},
                                       {"detail", "the topic was deleted and recreated"}});
    position.offset = low;
  }
  topics.know(others);
}

// Places of partitions never change, so that none can be given up.
void KafkaSource::require_partition(const TopicPartition& partition) {
  const std::string& topic = partition.topic;
  const std::int32_t count = await_partition_counts(consumer_, {topic}, retry_).at(topic);
  if (partition.partition < count) return;
  throw Failure(Exit::kUnavailable,
                fmt::format("topic {} was recreated with {} partitions, and the state has read {}: "
                            "add partitions, or start a new state",
                            topic, count, to_text(partition)));
}

void KafkaSource::require_same_topics() {
  if (options_.topics != nullptr) options_.topics->require_same(retry_.log());
}

void KafkaSource::look_for_stalls() {
  const auto cut_off = stall_detector_.look(positions_, consumer_, retry_.log());
  if (cut_off && check_gap(*cut_off)) reader_stopped_ = true;
}

void KafkaSource::look_for_partitions() {
  next_refresh_ = steady_clock::now() + options_.refresh;
  require_same_topics();
  bool added = false;
  try {
    const auto counts = consumer_.partition_counts(options_.assignment.topics);
    for (const auto& [topic, count] : counts) {
      if (count == 0) require_topic(topic);  // librdkafka does not always report it
    }
    for (TopicPartition& partition : options_.assignment.partitions(counts)) {
      if (find(positions_, partition) != nullptr) continue;
      if (end_batch_at_) {  // it is of the only partition
        put_off_ = true;
        continue;
      }
      const std::int64_t start = consumer_.watermarks(partition).low;
      retry_.log().info("partition added", {{"partition", to_text(partition)}, {"offset", start}});
      positions_.push_back({std::move(partition), start});
      added = true;
    }
    if (idle_) look_for_stalls();
  } catch (const KafkaError& error) {
    errors_.write(LogLevel::kWarning, "looking at topics", {{"reason", error.what()}});
    next_refresh_ = steady_clock::now() + std::min(options_.refresh, kBetweenFailedLooks);
  }
  if (!added) return;
  read_anew();
  if (!moved_) moved_since_ = steady_clock::now();
  moved_ = true;
}

}  // namespace neardup
