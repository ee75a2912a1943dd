#include "service/cluster/chunk_encoder.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "service/cluster/chunk_format.h"
#include "service/cluster/log_message.h"
#include "storage/bytes.h"

namespace neardup {
namespace {

// More than a message has in addition to its records: its frame, rule, topic and numbers.
constexpr std::size_t kMostHeadBytes = kMostLogFrameBytes + 384;

const std::optional<TraceContext> kNoTrace;

std::int64_t offset_of(const Record& record) {
  return static_cast<std::int64_t>(record.source.place);
}

Record rejected_for_size(Record record, std::size_t bytes, std::uint64_t limit) {
  record.kind = RecordKind::kRejected;
  record.reason = RejectReason::kTextTooLarge;
  record.detail = fmt::format(
      "the record takes {} bytes in the log of the cluster, whose messages have {} at most: raise "
      "max.message.bytes of its topic or split the text",
      bytes, limit);
  record.text_bytes = 0;
  return record;
}

}  // namespace

ChunkEncoder::ChunkEncoder(const Rule& rule, std::string cluster, const ChunkOptions& options)
    : rule_(rule),
      fingerprint_(rule_fingerprint(rule_text(rule))),
      cluster_(std::move(cluster)),
      options_(options) {
  options_.texts = options.texts || needs_texts(rule);
}

std::vector<EncodedChunk> ChunkEncoder::encode(
    const SourceRange& range, const SketchedBatch& batch,
    std::span<const std::optional<TraceContext>> traces) {
  std::vector<std::uint32_t> all(batch.size());
  std::iota(all.begin(), all.end(), 0U);
  return encode(range, batch, all, traces);
}

std::vector<EncodedChunk> ChunkEncoder::encode(
    const SourceRange& range, const SketchedBatch& batch, std::span<const std::uint32_t> records,
    std::span<const std::optional<TraceContext>> traces) {
  std::vector<EncodedChunk> chunks;
  SourceRange part = range;
  std::int64_t position = range.start;
  for (const std::uint32_t i : records) {
    const std::optional<TraceContext>& trace = traces.empty() ? kNoTrace : traces[i];
    const std::int64_t offset = offset_of(batch.records[i]);
    record_.clear();
    const std::uint64_t text_bytes = put_fitting(batch, i, trace, offset - position, record_);
    if (open_.count > 0 && !fits(record_.size(), text_bytes)) {
      part.end = position;
      chunks.push_back(finish(part));
      part.start = position;
    }
    open_.records += record_;
    if (too_large_) open_.too_large.push_back(*std::move(too_large_));
    open_.text_bytes += text_bytes;
    ++open_.count;
    position = offset + 1;
  }
  part.end = range.end;
  chunks.push_back(finish(part));
  return chunks;
}

bool ChunkEncoder::fits(std::size_t more_bytes, std::uint64_t more_text_bytes) const {
  return open_.count < options_.records &&
         kMostHeadBytes + open_.records.size() + more_bytes <= options_.bytes &&
         open_.text_bytes + more_text_bytes <= kMostChunkTextBytes;
}

// Returns the bytes of the text that was written.
std::uint64_t ChunkEncoder::put_fitting(const SketchedBatch& batch, std::size_t i,
                                        const std::optional<TraceContext>& trace,
                                        std::int64_t skipped, std::string& out) {
  const Record& record = batch.records[i];
  too_large_.reset();
  put_record(record, batch, i, trace, skipped, out);
  const std::size_t bytes = kMostHeadBytes + out.size();
  if (bytes <= options_.message_bytes) return options_.texts ? batch.text_bytes[i] : 0;
  out.clear();
  const Record rejected = rejected_for_size(record, bytes, options_.message_bytes);
  too_large_ = {i, rejected.detail};
  put_record(rejected, batch, i, trace, skipped, out);
  return 0;
}

void ChunkEncoder::put_record(const Record& record, const SketchedBatch& batch, std::size_t i,
                              const std::optional<TraceContext>& trace, std::int64_t skipped,
                              std::string& out) {
  ByteWriter writer(out);
  record_fields(writer, record, batch, i, skipped, trace, [&] {
    if (options_.texts && batch.text_bytes[i] != 0) {
      writer.bytes(texts_.encode(batch.texts.text(i)));
    }
  });
}

EncodedChunk ChunkEncoder::finish(const SourceRange& range) {
  EncodedChunk chunk{range, begin_log_message(LogKind::kChunk, cluster_),
                     std::exchange(open_.too_large, {})};
  chunk.message.reserve(kMostHeadBytes + open_.records.size());
  ByteWriter writer(chunk.message);
  writer.bytes(fingerprint_);
  const ChunkHead head{range, options_.texts, open_.count};
  chunk_head_fields(writer, head);
  chunk.message += open_.records;
  seal_log_message(chunk.message);
  open_.records.clear();
  open_.count = 0;
  open_.text_bytes = 0;
  return chunk;
}

}  // namespace neardup
