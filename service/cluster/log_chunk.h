// A run of sketched records of one source, which travels from a sketcher through the log of a
// cluster to the processes that look up and decide.
//
//   chunk     := bytes(rule) bytes(topic) partition:varint start:varint length:varint
//                bits:u8 records:varint record…              bits: 1 the texts of documents
//   record    := bits:u8 skipped:varint bytes(id) bytes(namespace) [ts_ms:u64le]
//                [rejection] [document] [bytes(url)] [raw_text_bytes:varint] [trace]
//   bits      := 1 a delete, 2 rejected, 4 ts_ms, 8 a sketch, 16 url, 32 raw_text_bytes, 64 trace
//   rejection := reason:u8 bytes(detail)                     only of rejected records
//   document  := content.low:u64le content.high:u64le tokens:varint text_bytes:varint
//                [distinct_shingles:varint bytes(sketch)] [bytes(text)]    only of documents
//   trace     := bytes(traceparent) bytes(tracestate)        the second may be empty
//
// The body of a message (service/cluster/log_message.h). rule: its fingerprint. skipped: offsets
// between the record and the one before it, or `start`. sketch: as many bytes as the rule says.
// text: normalised, as in storage/rocksdb/text_codec.h; left out where text_bytes is 0.
//
// That is all of a record that the flag, its outbox and the index depend on, once it is sketched.
// Left out are:
// - band keys and 1-bit sketches, which the decoder makes again from the sketch;
// - raw texts, keys and headers of messages: dead letters, `annotate` and `filter` need them, and
//   read them from the source by its offset;
// - Record::notices, SketchedBatch::input_bytes and the times of arrival: figures of the
//   process that sketches.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pipeline/model/sketched_batch.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/message/trace_context.h"

namespace neardup {

// A message with more of either is damaged. A single record may have any text that the rule allows.
inline constexpr std::size_t kMostChunkRecords = 256;
inline constexpr std::uint64_t kMostChunkTextBytes = std::uint64_t{16} << 20;

// Kafka's own bound of names.
inline constexpr std::size_t kMostSourceNameBytes = 249;

// The offsets start … end − 1 of a partition. Not each of them has a record.
struct SourceRange {
  TopicPartition source;  // the name is 1 to 249 printable ASCII characters, without spaces
  std::int64_t start = 0;
  std::int64_t end = 0;
  bool operator==(const SourceRange&) const = default;
};

// What a message says of its records.
struct ChunkHead {
  SourceRange range;
  bool has_texts = false;
  std::size_t records = 0;
};

struct LogChunk {
  SourceRange range;
  // In the order of their offsets, which are SourcePosition::place. SourcePosition::input is 0
  // until LogOrder has taken the chunk.
  SketchedBatch batch;
  // One for each record; empty if no message belongs to a trace.
  std::vector<std::optional<TraceContext>> traces;
};

// Requires: the chunk has as many.
void drop_first(LogChunk& chunk, std::size_t records);

}  // namespace neardup
