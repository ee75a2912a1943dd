// A batch in the outbox: decided and durable, maybe not yet delivered (docs/formats/outbox.md).
//
//   batch := version:u8  bytes(rule) threshold:varint  mark(before) mark(after)
//            bytes(from) bytes(to)  flags:varint
//            bytes(zstd frame of the encoded flags, one after another)
//            from version 3: bytes(zstd frame of the traces, one for each flag)
//            from version 4: bytes(zstd frame of the urls, one for each flag)
//            from version 5: bytes(zstd frame of the text_bytes, one for each flag)
//            with version 6: bytes(zstd frame of the log)
//   version := 6 of a cluster, else 5 where a flag has text_bytes, else 4 where one has a url, else
//              3 where a message belongs to a trace, else 2; a frame before the last is empty where
//              there is none
//   mark  := bytes(encoded mark), empty before batch 0
//   trace := bytes(traceparent), empty: none; otherwise bytes(tracestate)
//   url   := bytes(url), empty: none
//   text_bytes := varint, 0: none
//   log   := bytes(sources) bytes(decided)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/model/flag.h"
#include "service/kafka/message/commit_metadata.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/message/trace_context.h"

namespace neardup {

// The rule of a batch, as its flags show it. It is stored with the batch since the state can be
// migrated to another rule (pipeline/retention/migrate.h) before the batch is delivered.
struct RuleStamp {
  std::string fingerprint;
  Ppm threshold = 0;
  bool operator==(const RuleStamp&) const = default;
};

struct StoredBatch {
  RuleStamp rule;
  std::optional<CommitMetadata>
      before;            // the mark of the previous batch; nothing: this is the first
  CommitMetadata after;  // the mark of this batch
  Positions from;        // before it
  Positions to;          // after it
  std::vector<Flag> flags;
  // The traces of the messages, one for each flag; empty if no message has one.
  std::vector<std::optional<TraceContext>> traces;
  // Of a cluster, whose `from` and `to` are positions in its log; empty elsewhere.
  Positions sources;    // accepted positions of the sources that the log has
  std::string decided;  // the message of the topic of decisions (service/cluster/decided.h)

  // SourcePosition::input of a flag is a place in these.
  const Positions& inputs() const { return sources.empty() ? to : sources; }
  // Of its first flag; of the next record, if it has none.
  Seq first_seq() const { return flags.empty() ? after.next_seq : flags.front().seq; }
  // The trace of a flag, or null. Requires: flag < flags.size().
  const TraceContext* trace_of(std::size_t flag) const;
};

// `encoded_flags`: those of batch.flags, one after another.
std::string encode_batch(const StoredBatch& batch, std::string_view encoded_flags);
// Nothing unless the bytes are a complete batch.
std::optional<StoredBatch> decode_batch(std::string_view bytes);

}  // namespace neardup
