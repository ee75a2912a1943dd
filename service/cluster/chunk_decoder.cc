#include "service/cluster/chunk_decoder.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "gpu/cpu/simd_level.h"
#include "gpu/cpu/sketcher.h"
#include "gpu/keys.h"
#include "pipeline/base/utf8.h"
#include "pipeline/prepare.h"
#include "service/cluster/chunk_format.h"

namespace neardup {
namespace {

constexpr auto kMostOffset = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
constexpr auto kMostPartition =
    static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());

bool is_source_name(std::string_view name) {
  return !name.empty() && name.size() <= kMostSourceNameBytes &&
         std::ranges::all_of(name, [](char c) { return c > ' ' && c <= '~'; });
}

// False: too long, or not UTF-8.
bool read_text_field(ByteReader& reader, std::size_t most_bytes, std::string& text) {
  text = reader.bytes();
  return text.size() <= most_bytes && valid_utf8(text);
}

bool read_id(ByteReader& reader, Record& record) {
  if (!read_text_field(reader, kMaxIdBytes, record.id)) return false;
  record.has_id = !record.id.empty();
  return read_text_field(reader, kMaxIdBytes, record.name_space) &&
         (record.has_id || record.kind == RecordKind::kRejected);
}

bool read_rejection(ByteReader& reader, Record& record) {
  const std::uint64_t reason = reader.little_endian(1);
  if (reason == 0 || reason >= kRejectReasonNames.size()) return false;
  record.reason = static_cast<RejectReason>(reason);
  return read_text_field(reader, std::numeric_limits<std::size_t>::max(), record.detail);
}

// What encoding leaves out where it is empty must not be empty.
bool read_url(ByteReader& reader, Record& record) {
  return read_text_field(reader, kMaxUrlBytes, record.url) && !record.url.empty();
}

bool read_raw_text_bytes(ByteReader& reader, Record& record) {
  record.text_bytes = reader.varint();
  return record.text_bytes != 0;
}

bool read_trace(ByteReader& reader, std::optional<TraceContext>& trace) {
  const std::string_view parent = reader.bytes();
  const std::string_view state = reader.bytes();
  trace = TraceContext{std::string(parent), std::string(state)};
  return is_traceparent(parent) && (state.empty() || is_tracestate(state));
}

void reset(std::size_t records, const SketchShape& shape, LogChunk& chunk) {
  SketchedBatch& batch = chunk.batch;
  batch.records.resize(records);
  batch.content.assign(records, {});
  batch.tokens.assign(records, 0);
  batch.text_bytes.assign(records, 0);
  batch.has_sketch.assign(records, 0);
  batch.rows.reset(shape, records);
  batch.texts.clear();
  batch.input_bytes = 0;
  chunk.traces.clear();
}

// What not every record has.
void reset(Record& record) {
  record.ts_ms.reset();
  record.reason = RejectReason::kNone;
  record.detail.clear();
  record.url.clear();
  record.text_bytes = 0;
}

}  // namespace

ChunkDecoder::ChunkDecoder(const Rule& rule, SimdLevel simd)
    : rule_(rule),
      fingerprint_(rule_fingerprint(rule_text(rule))),
      shape_(rule.plan.shape()),
      kernels_(&kernels(resolve_simd(simd))),
      keys_of_bands_(make_band_keys(rule.plan)),
      namespace_hash_(rule.plan.sketch.seed) {}

LogOutcome ChunkDecoder::decode(std::string_view body, LogChunk& chunk) {
  ByteReader reader(body);
  if (reader.bytes() != fingerprint_) return LogOutcome::kOtherRule;
  const bool complete =
      read_head(reader, chunk) && read_records(reader, chunk) && reader.finished();
  return complete ? LogOutcome::kChunk : LogOutcome::kDamaged;
}

bool ChunkDecoder::read_head(ByteReader& reader, LogChunk& chunk) {
  SourceRange& range = chunk.range;
  range.source.topic = reader.bytes();
  const std::uint64_t partition = reader.varint();
  const std::uint64_t start = reader.varint();
  const std::uint64_t length = reader.varint();
  const std::uint64_t bits = reader.little_endian(1);
  records_ = reader.varint();
  if (!is_source_name(range.source.topic) || partition > kMostPartition) return false;
  if (start > kMostOffset || length == 0 || length > kMostOffset - start) return false;
  if (bits > kChunkHasTexts || records_ > kMostChunkRecords) return false;
  range.source.partition = static_cast<std::int32_t>(partition);
  range.start = static_cast<std::int64_t>(start);
  range.end = static_cast<std::int64_t>(start + length);
  has_texts_ = bits == kChunkHasTexts;
  return has_texts_ || !needs_texts(rule_);
}

bool ChunkDecoder::read_records(ByteReader& reader, LogChunk& chunk) {
  reset(records_, shape_, chunk);
  position_ = chunk.range.start;
  for (std::size_t i = 0; i < records_; ++i) {
    if (!read_record(reader, i, chunk)) return false;
  }
  return true;
}

bool ChunkDecoder::read_record(ByteReader& reader, std::size_t i, LogChunk& chunk) {
  Record& record = chunk.batch.records[i];
  reset(record);
  const std::uint64_t bits = reader.little_endian(1);
  const std::uint64_t skipped = reader.varint();
  if (bits > kAllRecordBits || (bits & kKindBits) == kKindBits) return false;
  if (skipped >= static_cast<std::uint64_t>(chunk.range.end - position_)) return false;
  record.kind = static_cast<RecordKind>(bits & kKindBits);
  position_ += static_cast<std::int64_t>(skipped);
  record.source = {0, static_cast<std::uint64_t>(position_++)};
  if (!read_id(reader, record)) return false;
  if ((bits & kHasTime) != 0) record.ts_ms = static_cast<std::int64_t>(reader.little_endian(8));
  if (record.kind == RecordKind::kRejected && !read_rejection(reader, record)) return false;
  chunk.batch.has_sketch[i] = (bits & kHasSketch) != 0;
  if (!read_document(reader, i, chunk.batch)) return false;
  if ((bits & kHasUrl) != 0 && !read_url(reader, record)) return false;
  if ((bits & kHasRawTextBytes) != 0 && !read_raw_text_bytes(reader, record)) return false;
  if ((bits & kHasTrace) == 0) return true;
  chunk.traces.resize(records_);
  return read_trace(reader, chunk.traces[i]);
}

// Of other records: only that they have no sketch.
bool ChunkDecoder::read_document(ByteReader& reader, std::size_t i, SketchedBatch& batch) {
  const bool has_sketch = batch.has_sketch[i] != 0;
  if (batch.records[i].kind != RecordKind::kDocument) {
    batch.texts.push({});
    return !has_sketch;
  }
  batch.content[i].low = reader.little_endian(8);
  batch.content[i].high = reader.little_endian(8);
  batch.tokens[i] = reader.varint32();
  batch.text_bytes[i] = reader.varint32();
  if (has_sketch && !read_sketch(reader, i, batch)) return false;
  return read_text(reader, i, batch);
}

bool ChunkDecoder::read_sketch(ByteReader& reader, std::size_t i, SketchedBatch& batch) {
  batch.rows.distinct_shingles[i] = reader.varint32();
  const std::string_view sketch = reader.bytes();
  if (sketch.size() != shape_.sketch_words() * sizeof(std::uint64_t)) return false;
  std::uint64_t* row = batch.rows.sketch(i);
  std::memcpy(row, sketch.data(), sketch.size());
  kernels_->one_bit(row, shape_.sketch_words(), shape_.bits, batch.rows.one_bit(i));
  const SketchPlan& plan = rule_.plan;
  kernels_->band_keys(row, plan.sketch.bits, plan.bands, plan.rows, keys_of_bands_.data(),
                      namespace_hash_(batch.records[i].name_space), batch.rows.buckets(i));
  return batch.tokens[i] != 0;
}

bool ChunkDecoder::read_text(ByteReader& reader, std::size_t i, SketchedBatch& batch) {
  if (!has_texts_ || batch.text_bytes[i] == 0) {
    batch.texts.push({});
    return true;
  }
  const std::uint64_t most =
      records_ == 1 ? most_normalised_bytes(rule_.text) : kMostChunkTextBytes;
  const auto text = codec_.decode(reader.bytes(), most - batch.texts.text_bytes());
  if (!text || text->size() != batch.text_bytes[i]) return false;
  batch.texts.push(*text);
  return true;
}

}  // namespace neardup
