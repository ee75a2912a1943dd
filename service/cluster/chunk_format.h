// The fields of chunks (service/cluster/log_chunk.h), for both encoding and decoding
// (storage/bytes.h). Included by chunk_encoder.cc and chunk_decoder.cc only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "pipeline/base/utf8.h"
#include "pipeline/rule/rule.h"
#include "service/cluster/log_chunk.h"

namespace neardup {

inline bool needs_texts(const Rule& rule) { return rule.decision.verify == VerifyMode::kExact; }

inline bool is_source_name(std::string_view name) {
  return !name.empty() && name.size() <= kMostSourceNameBytes &&
         std::ranges::all_of(name, [](char c) { return c > ' ' && c <= '~'; });
}

template <class Io, class Head>
void chunk_head_fields(Io& io, Head& head) {
  auto& range = head.range;
  auto length = static_cast<std::uint64_t>(range.end) - static_cast<std::uint64_t>(range.start);
  io.bytes(range.source.topic);
  io.varint(range.source.partition);
  io.varint(range.start);
  io.varint(length);
  const auto [has_texts] = io.bits(head.has_texts);
  io.varint(head.records);
  io.set(head.has_texts, has_texts);
  if constexpr (Io::kReads) {
    const auto start = static_cast<std::uint64_t>(range.start);
    range.end = static_cast<std::int64_t>(start + length);
    io.require(is_source_name(range.source.topic) && length != 0 &&
               length <= std::numeric_limits<std::int64_t>::max() - start &&
               head.records <= kMostChunkRecords);
  }
}

template <class Io, class Text>
void text_field(Io& io, Text& text,
                std::size_t most_bytes = std::numeric_limits<std::size_t>::max()) {
  io.bytes(text);
  if constexpr (Io::kReads) io.require(text.size() <= most_bytes && valid_utf8(text));
}

template <class Io, class Trace>
void trace_fields(Io& io, Trace& trace) {
  io.bytes(trace.traceparent);
  io.bytes(trace.tracestate);
  if constexpr (Io::kReads) {
    io.require(is_traceparent(trace.traceparent) &&
               (trace.tracestate.empty() || is_tracestate(trace.tracestate)));
  }
}

// `put_text()` writes or reads the text of the document.
template <class Io, class Batch, class PutText>
void document_fields(Io& io, Batch& batch, std::size_t i, bool has_sketch, PutText put_text) {
  io.fixed(batch.content[i].low);
  io.fixed(batch.content[i].high);
  io.varint(batch.tokens[i]);
  io.varint(batch.text_bytes[i]);
  if (has_sketch) {
    io.varint(batch.rows.distinct_shingles[i]);
    io.row(std::span(batch.rows.sketch(i), batch.rows.shape.sketch_words()));
    io.require(batch.tokens[i] != 0);
  }
  put_text();
}

// Record `i` of a batch, as `record` has it.
template <class Io, class ARecord, class Batch, class Skipped, class Trace, class PutText>
void record_fields(Io& io, ARecord& record, Batch& batch, std::size_t i, Skipped& skipped,
                   Trace& trace, PutText put_text) {
  const auto [deletes, rejected, has_time, has_sketch, has_url, has_text_bytes, has_trace] =
      io.bits(record.kind == RecordKind::kDelete, record.kind == RecordKind::kRejected,
              record.ts_ms.has_value(),
              record.kind == RecordKind::kDocument && batch.has_sketch[i] != 0, !record.url.empty(),
              record.text_bytes != 0, trace.has_value());
  const bool is_document = !deletes && !rejected;
  io.require(!(deletes && rejected) && (is_document || !has_sketch));
  io.set(record.kind, deletes    ? RecordKind::kDelete
                      : rejected ? RecordKind::kRejected
                                 : RecordKind::kDocument);
  io.set(batch.has_sketch[i], has_sketch);
  io.varint(skipped);
  text_field(io, record.id, kMaxIdBytes);
  io.set(record.has_id, !record.id.empty());
  io.require(record.has_id || rejected);
  text_field(io, record.name_space, kMaxIdBytes);
  if (has_time) io.fixed(io.present(record.ts_ms));
  if (rejected) {
    io.word(record.reason);
    io.require(record.reason != RejectReason::kNone);
    text_field(io, record.detail);
  }
  if (is_document) document_fields(io, batch, i, has_sketch, put_text);
  if (has_url) text_field(io, record.url, kMaxUrlBytes);
  if (has_text_bytes) io.varint(record.text_bytes);
  // What is left out where it is empty must not be empty.
  io.require(has_url != record.url.empty() && has_text_bytes == (record.text_bytes != 0));
  if (has_trace) trace_fields(io, io.present(trace));
}

}  // namespace neardup
