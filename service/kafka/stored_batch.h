// One batch in the outbox: decided and durable, and perhaps not delivered (docs/formats/outbox.md).
//
//   batch := version:u8 = 2  bytes(rule) threshold:varint  mark(before) mark(after)
//            bytes(from) bytes(to)  flags:varint
//            bytes(zstd frame of the encoded flags, one after another)
//   mark  := bytes(encoded mark), empty before batch 0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/core/flag.h"
#include "service/kafka/commit_mark.h"
#include "service/kafka/positions.h"

namespace neardup {

// What flags say of the rule that decided them. A state can get another one (pipeline/migrate.h)
// before a batch is delivered.
struct RuleStamp {
  std::string fingerprint;
  Ppm threshold = 0;
  bool operator==(const RuleStamp&) const = default;
};

struct StoredBatch {
  RuleStamp rule;
  std::optional<CommitMark> before;  // what was committed with the batch before; nothing: the first
  CommitMark after;                  // what is committed with this one
  Positions from;                    // of the input before it
  Positions to;                      // and after it; flags name their partitions by place in `to`
  std::vector<Flag> flags;
};

// `encoded_flags`: those of batch.flags, one after another.
std::string encode_batch(const StoredBatch& batch, std::string_view encoded_flags);
// Nothing unless the bytes are a whole batch.
std::optional<StoredBatch> decode_batch(std::string_view bytes);

}  // namespace neardup
