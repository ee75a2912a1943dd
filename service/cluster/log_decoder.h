// Any message of the log → what it holds.
#pragma once

#include <string>
#include <string_view>

#include "pipeline/model/sketched_batch.h"
#include "service/cluster/chunk_decoder.h"
#include "service/cluster/log_chunk.h"
#include "service/cluster/log_message.h"
#include "service/cluster/placement.h"

namespace neardup {

// The part that the outcome names.
struct LogMessage {
  LogChunk chunk;
  Placement placement;
};

// Messages are decoded in any order; LogOrder gives them theirs. Not thread-safe: each thread has
// its own.
class LogDecoder {
 public:
  // `cluster`: its uuid.
  LogDecoder(const Rule& rule, std::string cluster, SimdLevel simd = SimdLevel::kAuto);

  // Accepts any bytes. kChunk, kPlacement, kOtherRule, kOtherCluster, kDamaged or kNewerFormat;
  // overwrites `message` and keeps its memory.
  LogOutcome decode(std::string_view bytes, LogMessage& message);

 private:
  std::string cluster_;
  ChunkDecoder chunks_;
};

// Appends all records of `from`, of the same rule, so that they are looked up together. Requires:
// neither has raw texts.
void append(SketchedBatch&& from, SketchedBatch& to);

}  // namespace neardup
