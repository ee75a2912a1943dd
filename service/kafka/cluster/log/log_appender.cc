#include "service/kafka/cluster/log/log_appender.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/failpoint.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/message/commit_metadata.h"
#include "service/kafka/message/dead_letter.h"
#include "service/kafka/message/trace_context.h"

namespace neardup {
namespace {

using std::chrono::steady_clock;

constexpr std::uint64_t kLikelyMessageBytes = std::uint64_t{64} << 10;
// More than a batch of the record format adds to its messages.
constexpr std::uint64_t kMostBatchOverhead = 1024;

ChunkOptions chunk_options(const MessageLimits& limits) {
  ChunkOptions options;
  options.message_bytes = limits.output - std::min(limits.output, kMostBatchOverhead);
  options.bytes = std::min(options.bytes, options.message_bytes);
  return options;
}

// Nothing: none of these records belongs to a trace.
std::vector<std::optional<TraceContext>> traces_of(const std::vector<RawRecord>& records) {
  std::vector<std::optional<TraceContext>> traces;
  for (std::size_t i = 0; i < records.size(); ++i) {
    auto trace = trace_context(records[i].headers);
    if (!trace) continue;
    traces.resize(records.size());
    traces[i] = *std::move(trace);
  }
  return traces;
}

void check_delivered(const DeliveryReport& report) {
  check(report.error, "appending to the log of the cluster");
}

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenFillLooks{500};

}  // namespace

KafkaOptions options_of_log(const KafkaOptions& options, const ClusterOptions& cluster) {
  KafkaOptions log = options;
  log.output_topic = cluster.log_topic();
  log.order_topic.clear();
  log.guarantee = Guarantee::kAtLeastOnce;
  return log;
}

LogAppender::LogAppender(const KafkaOptions& options, const Rule& rule, const std::string& cluster,
                         const MessageLimits& limits, RetryPolicy& retry)
    : encoder_(rule, cluster, chunk_options(limits)),
      limits_(limits),
      writes_letters_(!options.dead_letter_topic.empty()),
      log_(options.output_topic),
      retry_(retry),
      producer_(options, ClientRole::kIdempotent, retry) {}

void LogAppender::begin(Positions sources, TopicIds ids) {
  ids_ = std::move(ids);
  sources_ = std::move(sources);
  places_.assign(sources_.size(), {});
}

void LogAppender::skip_to(const Positions& positions) {
  static const Chunk kNothing;
  divide(kNothing.sketched);
  for (std::size_t i = 0; i < sources_.size(); ++i) append(i, positions[i].offset, kNothing);
}

// Positions are known at the end of a batch only; before it, a range ends with its last record.
void LogAppender::append(const Chunk& chunk) {
  divide(chunk.sketched);
  traces_ = traces_of(chunk.raw.records);
  std::optional<Positions> positions;
  for (const auto& [key, value] : chunk.positions) {
    if (key == kMetaPositions) positions = decode_positions(value);
  }
  const std::vector<Record>& records = chunk.sketched.records;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    std::int64_t end = positions ? (*positions)[i].offset : 0;
    if (!places_[i].empty()) {
      end = std::max(end, static_cast<std::int64_t>(records[places_[i].back()].source.place) + 1);
    }
    append(i, end, chunk);
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    ++open_.report.records[static_cast<std::size_t>(records[i].kind)];
    count_notices(records[i].notices, open_.report.notices);
    if (records[i].kind != RecordKind::kRejected) continue;
    bury(chunk, i, name(records[i].reason), records[i].detail);
  }
  if (chunk.ends_batch) end_batch();
}

void LogAppender::divide(const SketchedBatch& batch) {
  for (auto& places : places_) places.clear();
  for (std::uint32_t i = 0; i < batch.size(); ++i) {
    places_[batch.records[i].source.input].push_back(i);
  }
}

// Nothing if the range of the source does not get longer.
void LogAppender::append(std::size_t source, std::int64_t end, const Chunk& chunk) {
  std::int64_t& position = sources_[source].offset;
  if (end <= position) return;
  const SourceRange range{sources_[source].partition, position, end};
  for (EncodedChunk& encoded : encoder_.encode(range, chunk.sketched, places_[source], traces_)) {
    for (const TooLargeRecord& record : encoded.too_large) {
      bury(chunk, record.record, name(RejectReason::kTextTooLarge), record.detail);
    }
    send(source, encoded);
  }
  position = end;
}

void LogAppender::send(std::size_t source, EncodedChunk& chunk) {
  const std::uint64_t bytes = chunk.message.size();
  ++open_.report.messages;
  open_.report.bytes += bytes;
  ++messages_;
  bytes_ += bytes;
  OutgoingMessage message;
  message.value = std::move(chunk.message);
  send(std::move(message), source, chunk.range.end);
}

void LogAppender::bury(const Chunk& chunk, std::size_t record, std::string_view reason,
                       std::string_view detail) {
  if (!writes_letters_) return;
  const SourcePosition& at = chunk.sketched.records[record].source;
  ++open_.report.dead_letters[std::string(reason)];
  send(make_dead_letter({.reason = reason,
                         .detail = detail,
                         .from = sources_[at.input].partition,
                         .offset = at.place,
                         .seq = {},
                         .with_value = true,
                         .limit = limits_.dead_letter},
                        chunk.raw.records[record]),
       at.input, 0);
}

void LogAppender::send(const OutgoingMessage& message, std::size_t source, std::int64_t end) {
  Sent& sent = open_.sent.emplace_back();
  sent.source = source;
  sent.end = end;
  sent.is_letter = message.destination == Destination::kDeadLetter;
  producer_.produce(message, &sent.report);
}

void LogAppender::end_batch() {
  failpoint("after_append");
  open_.ended = steady_clock::now();
  batches_.push_back(std::exchange(open_, {}));
}

void LogAppender::poll(std::chrono::milliseconds wait) {
  if (retry_.stop()) throw Stopped();
  rd_kafka_poll(producer_.handle(), static_cast<int>(wait.count()));
}

std::optional<AppendedBatch> LogAppender::take_acknowledged() {
  if (batches_.empty()) return {};
  Batch& batch = batches_.front();
  for (; batch.acknowledged < batch.sent.size(); ++batch.acknowledged) {
    const DeliveryReport& report = batch.sent[batch.acknowledged].report;
    if (report.error == RD_KAFKA_RESP_ERR__IN_PROGRESS) return {};
    check_delivered(report);
  }
  retry_.events().brokers_up();
  const std::chrono::duration<double> time = steady_clock::now() - batch.ended;
  batch.report.append_seconds = time.count();
  AppendedBatch appended{commits_of(batch), std::move(batch.report)};
  batches_.pop_front();
  return appended;
}

std::vector<OffsetCommit> LogAppender::commits_of(const Batch& batch) {
  std::vector<const Sent*> last(sources_.size(), nullptr);
  for (const Sent& sent : batch.sent) {
    if (sent.is_letter) continue;
    last[sent.source] = &sent;
    log_end_ = std::max(log_end_, sent.report.offset + 1);
  }
  std::vector<OffsetCommit> commits;
  for (std::size_t i = 0; i < last.size(); ++i) {
    if (last[i] == nullptr) continue;
    const TopicPartition& partition = sources_[i].partition;
    commits.push_back({{partition, last[i]->end},
                       encode_log_mark({.offset = last[i]->report.offset,
                                        .log_id = id_of(ids_, log_),
                                        .topic_id = id_of(ids_, partition.topic)})});
  }
  return commits;
}

std::uint64_t LogAppender::mean_message_bytes() const {
  return messages_ == 0 ? kLikelyMessageBytes : bytes_ / messages_;
}

LogFill::LogFill(const Consumer& consumer, const ClusterOptions& options)
    : consumer_(consumer), options_(options), next_look_(steady_clock::now()) {}

void LogFill::look() {
  if (steady_clock::now() < next_look_) return;
  try {
    for (const Position& end : consumer_.ends({{options_.log_topic(), 0}})) end_ = end.offset;
  } catch (const KafkaError&) {
    // The last known end stays until the next look.
  }
  next_look_ = steady_clock::now() + kBetweenFillLooks;
}

bool LogFill::is_full(const LogAppender& appender, const Decided& decided) const {
  const std::int64_t end = std::max(end_.load(), appender.log_end());
  const std::int64_t messages = std::max<std::int64_t>(end - decided.offset, 0);
  return static_cast<std::uint64_t>(messages) * appender.mean_message_bytes() >
         options_.log.max_lag;
}

}  // namespace neardup
