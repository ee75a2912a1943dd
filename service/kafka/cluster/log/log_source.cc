#include "service/kafka/cluster/log/log_source.h"

#include <fmt/core.h>

#include "pipeline/core/failure.h"
#include "service/cluster/log_batch.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/message/trace_context.h"
#include "service/records/chunk_builder.h"

namespace neardup {
namespace {

constexpr std::chrono::seconds kBetweenWarnings{10};

LogUse use_of(LogOutcome outcome) {
  switch (outcome) {
    case LogOutcome::kChunk:
    case LogOutcome::kPlacement:
      return LogUse::kCounted;
    case LogOutcome::kSeen:
      return LogUse::kSeen;
    case LogOutcome::kGap:
      return LogUse::kGap;
    case LogOutcome::kVoidPlacement:
      return LogUse::kVoidPlacement;
    case LogOutcome::kOtherRule:
      return LogUse::kOtherRule;
    case LogOutcome::kOtherCluster:
      return LogUse::kOtherCluster;
    case LogOutcome::kDamaged:
    case LogOutcome::kNewerFormat:
      break;
  }
  return LogUse::kDamaged;
}

std::string_view name_of(LogUse use) { return names(use)[static_cast<std::size_t>(use)]; }

// What happens in every cluster: chunks are written twice, and placements from the same one.
bool is_usual(LogUse use) {
  return use == LogUse::kCounted || use == LogUse::kSeen || use == LogUse::kVoidPlacement;
}

}  // namespace

LogSource::LogSource(std::unique_ptr<Source> messages, const Rule& rule, std::string cluster,
                     LogState state, SimdLevel simd, KafkaProbe& probe, Log& log)
    : messages_(std::move(messages)),
      decoder_(rule, std::move(cluster), simd),
      order_(std::move(state)),
      probe_(probe),
      passed_over_(log, kBetweenWarnings) {}

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
      bytes += raw_.buffer.size();
      for (const RawRecord& raw : raw_.records) take(raw, builder);
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
  const LogOutcome decoded = decoder_.decode(raw.bytes, message_);
  if (decoded == LogOutcome::kNewerFormat) return refuse_newer(raw.source.place);
  const LogTurn turn = order_.take(decoded, message_);
  tell(use_of(turn.outcome), raw);
  if (turn.outcome == LogOutcome::kChunk) add(raw, builder);
}

void LogSource::add(const RawRecord& raw, ChunkBuilder& builder) {
  const LogChunk& chunk = message_.chunk;
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
  append(std::move(message_.chunk.batch), *batch_);
}

void LogSource::tell(LogUse use, const RawRecord& raw) {
  probe_.log_message_read(use);
  if (is_usual(use)) return;
  // Lines are limited by their event: each reason has its own.
  passed_over_.write(LogLevel::kWarning,
                     fmt::format("message of the log passed over: {}", name_of(use)),
                     {{"offset", raw.source.place}});
}

// Nothing after it counts for this process, which cannot know what it says.
void LogSource::refuse_newer(std::uint64_t offset) {
  stopped_ = offset;
  failure_ = std::make_exception_ptr(
      Failure(Exit::kUnavailable,
              fmt::format("the message of the log at offset {} has a newer format: this program is "
                          "older than the one that wrote it. Upgrade deciders, shards and "
                          "resolvers before sketchers",
                          offset)));
}

std::vector<std::pair<std::string, std::string>> LogSource::positions() {
  auto positions = messages_->positions();
  if (stopped_) {
    for (auto& [key, value] : positions) {
      if (key != kMetaPositions) continue;
      Positions log = decode_positions(value).value();
      log.front().offset = static_cast<std::int64_t>(*stopped_);
      value = encode_positions(log);
    }
  }
  positions.emplace_back(kMetaLogState, encode_log_state(order_.state()));
  return positions;
}

}  // namespace neardup
