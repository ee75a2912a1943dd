#include "service/kafka/cluster/log/log_source.h"

#include <chrono>
#include <thread>

#include "service/cluster/log_decoder.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/message/trace_context.h"
#include "service/records/chunk_builder.h"

namespace neardup {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{100};

}  // namespace

LogSource::LogSource(const LogContext& context, std::unique_ptr<Source> messages, LogState state)
    : messages_(std::move(messages)), counter_(context, std::move(state)) {}

// An empty chunk would be the end: messages skipped before its first record do not count.
bool LogSource::read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) {
  if (failure_) std::rethrow_exception(std::exchange(failure_, {}));
  ChunkBuilder builder(chunk);
  batch_ = std::make_unique<SketchedBatch>();
  std::uint64_t bytes = 0;
  try {
    while (!failure_ && !chunk.ends_batch && chunk.records.size() < max_records &&
           bytes < max_bytes && messages_->read(1, max_bytes, raw_)) {
      if (chunk.records.empty()) chunk.first_read = raw_.first_read;
      chunk.ends_batch = raw_.ends_batch;
      for (const RawRecord& raw : raw_.records) take(raw, builder);
      if (!chunk.records.empty()) bytes += raw_.buffer.size();
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
  builder.seal();
  chunk.sketched = std::move(batch_);
  if (chunk.records.empty() && failure_) std::rethrow_exception(std::exchange(failure_, {}));
  return chunk.ends_batch || !chunk.records.empty();
}

void LogSource::take(const RawRecord& raw, ChunkBuilder& builder) {
  const auto offset = static_cast<std::int64_t>(raw.source.place);
  const LogTurn turn = counter_.take(offset, raw.bytes);
  if (turn.outcome == LogOutcome::kNewerFormat) {
    stopped_ = offset;
    failure_ = std::make_exception_ptr(newer_log_message(offset));
  }
  if (turn.outcome == LogOutcome::kChunk) add(raw, builder);
}

void LogSource::add(const RawRecord& raw, ChunkBuilder& builder) {
  LogChunk& chunk = counter_.message().chunk;
  RawRecord record;
  record.ts_ms = raw.ts_ms;
  for (std::size_t i = 0; i < chunk.batch.size(); ++i) {
    record.source = chunk.batch.records[i].source;
    const bool traced = !chunk.traces.empty() && chunk.traces[i];
    const std::vector<RawHeader> headers =
        traced ? trace_headers(&*chunk.traces[i]) : std::vector<RawHeader>();
    record.headers = headers;
    builder.add(record);
  }
  append(std::move(chunk.batch), *batch_);
}

std::vector<std::pair<std::string, std::string>> LogSource::positions() {
  auto positions = messages_->positions();
  if (stopped_) {
    for (auto& [key, value] : positions) {
      if (key != kMetaPositions) continue;
      Positions log = decode_positions(value).value();
      log.front().offset = *stopped_;
      value = encode_positions(log);
    }
  }
  positions.emplace_back(kMetaLogState, encode_log_state(counter_.state()));
  return positions;
}

FollowSource::FollowSource(const ReadContext& context, std::unique_ptr<Source> records,
                           KafkaSource& messages, Following following)
    : records_(std::move(records)),
      messages_(messages),
      reached_(following.start),
      consumer_(context.consumer),
      following_(std::move(following)),
      retry_(context.retry),
      watch_(context.watch),
      target_(reached_.offset) {}

bool FollowSource::read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) {
  while (!ends()) {
    if (reached_.offset < target_) {
      const bool more = records_->read(max_records, max_bytes, chunk);
      if (messages_.ended_batch()) reached_.offset = target_;
      return more;
    }
    look_for_mark();
    if (reached_.offset >= target_) {
      watch_.alive(ServiceStage::kReader);
      std::this_thread::sleep_for(kBetweenLooks);
    }
  }
  return false;
}

// The committed offset. Nothing while it cannot be read: a transaction that its decider has left
// open hides it, until the next leader ends it.
std::optional<CommittedOffset> FollowSource::read_committed() {
  try {
    return consumer_.committed({reached_.partition}).front();
  } catch (const KafkaError& error) {
    if (error.error_class() != ErrorClass::kRetriable) throw;
    return {};
  }
}

// Marks before the place that this state has reached cannot be compared: it was ahead of them.
void FollowSource::look_for_mark() {
  const auto committed = read_committed();
  if (!committed || !committed->offset || *committed->offset <= reached_.offset) return;
  const auto mark = decode_mark(committed->metadata);
  if (!mark) return;  // the start procedure will say what is wrong
  target_ = *committed->offset;
  following_.marks.expect({*mark, {{reached_.partition, target_}}});
  messages_.end_batch_at(target_);
}

void FollowSource::interrupt() {
  interrupted_ = true;
  records_->interrupt();
}

}  // namespace neardup
