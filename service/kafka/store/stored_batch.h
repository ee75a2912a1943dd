// One batch in the outbox: decided and durable, and perhaps not delivered (docs/formats/outbox.md).
//
//   batch := version:u8  bytes(rule) threshold:varint  mark(before) mark(after)
//            bytes(from) bytes(to)  flags:varint
//            bytes(zstd frame of the encoded flags, one after another)
//            with version 3: bytes(zstd frame of the traces, one for each flag)
//   version := 3 where a message belongs to a trace, else 2
//   mark  := bytes(encoded mark), empty before batch 0
//   trace := bytes(traceparent), empty: none; otherwise bytes(tracestate)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/core/flag.h"
#include "service/kafka/message/commit_metadata.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/message/trace_context.h"

namespace neardup {

// What flags say of the rule that decided them. A state can get another one
// (pipeline/retention/migrate.h) before a batch is delivered.
struct RuleStamp {
  std::string fingerprint;
  Ppm threshold = 0;
  bool operator==(const RuleStamp&) const = default;
};

struct StoredBatch {
  RuleStamp rule;
  std::optional<CommitMetadata>
      before;            // what was committed with the batch before; nothing: the first
  CommitMetadata after;  // what is committed with this one
  Positions from;        // of the input before it
  Positions to;          // and after it; flags name their partitions by place in `to`
  std::vector<Flag> flags;
  // Of the messages that the flags answer, one for each flag; none at all where no message has one.
  std::vector<std::optional<TraceContext>> traces;

  // Or null. Requires: flag < flags.size().
  const TraceContext* trace_of(std::size_t flag) const;
};

// `encoded_flags`: those of batch.flags, one after another.
std::string encode_batch(const StoredBatch& batch, std::string_view encoded_flags);
// Nothing unless the bytes are a whole batch.
std::optional<StoredBatch> decode_batch(std::string_view bytes);

}  // namespace neardup
