#include "service/cluster/chunk_decoder.h"

#include <optional>
#include <utility>

#include "gpu/cpu/kernels/kernels.h"
#include "gpu/cpu/simd_level.h"
#include "gpu/cpu/sketcher.h"
#include "gpu/keys.h"
#include "pipeline/prepare.h"
#include "service/cluster/chunk_format.h"

namespace neardup {
namespace {

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
  static_cast<PassedOn&>(record) = {};
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
  chunk_head_fields(reader, head_);
  reader.require(head_.has_texts || !needs_texts(rule_));
  if (!reader.fits()) return LogOutcome::kDamaged;
  chunk.range = head_.range;
  reset(head_.records, shape_, chunk);
  std::int64_t position = chunk.range.start;
  for (std::size_t i = 0; i < head_.records && reader.fits(); ++i) {
    read_record(reader, i, position, chunk);
  }
  return reader.finished() ? LogOutcome::kChunk : LogOutcome::kDamaged;
}

void ChunkDecoder::read_record(ByteReader& reader, std::size_t i, std::int64_t& position,
                               LogChunk& chunk) {
  SketchedBatch& batch = chunk.batch;
  Record& record = batch.records[i];
  reset(record);
  std::uint64_t skipped = 0;
  std::optional<TraceContext> trace;
  record_fields(reader, record, batch, i, skipped, trace, [&] {
    if (head_.has_texts && batch.text_bytes[i] != 0) read_text(reader, i, batch);
  });
  reader.require(skipped < static_cast<std::uint64_t>(chunk.range.end - position));
  if (!reader.fits()) return;
  position += static_cast<std::int64_t>(skipped);
  record.source = {0, static_cast<std::uint64_t>(position++)};
  if (batch.texts.size() == i) batch.texts.push({});
  if (batch.has_sketch[i] != 0) derive_rows(i, batch);
  if (!trace) return;
  chunk.traces.resize(head_.records);
  chunk.traces[i] = std::move(trace);
}

// What is not in a message: the 1-bit sketch and the buckets.
void ChunkDecoder::derive_rows(std::size_t i, SketchedBatch& batch) {
  const SketchPlan& plan = rule_.plan;
  const std::uint64_t* row = batch.rows.sketch(i);
  kernels_->one_bit(row, shape_.sketch_words(), shape_.bits, batch.rows.one_bit(i));
  kernels_->band_keys(row, plan.sketch.bits, plan.bands, plan.rows, keys_of_bands_.data(),
                      namespace_hash_(batch.records[i].name_space), batch.rows.buckets(i));
}

void ChunkDecoder::read_text(ByteReader& reader, std::size_t i, SketchedBatch& batch) {
  const std::uint64_t most =
      head_.records == 1 ? most_normalised_bytes(rule_.text) : kMostChunkTextBytes;
  const auto text = codec_.decode(reader.bytes(), most - batch.texts.text_bytes());
  reader.require(text && text->size() == batch.text_bytes[i]);
  if (text) batch.texts.push(*text);
}

}  // namespace neardup
