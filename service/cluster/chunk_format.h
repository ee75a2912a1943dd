// What encoder and decoder of chunks share (service/cluster/log_chunk.h).
#pragma once

#include <cstdint>

#include "pipeline/rule/rule.h"

namespace neardup {

inline constexpr std::uint64_t kChunkHasTexts = 1;

enum RecordBit : std::uint64_t {
  kKindBits = 3,
  kHasTime = 4,
  kHasSketch = 8,
  kHasUrl = 16,
  kHasRawTextBytes = 32,
  kHasTrace = 64,
};
inline constexpr std::uint64_t kAllRecordBits = 127;

inline bool needs_texts(const Rule& rule) { return rule.decision.verify == VerifyMode::kExact; }

}  // namespace neardup
