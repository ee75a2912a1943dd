// How log lines name a batch: its number, the arrival numbers of its messages, and a trace id.
#pragma once

#include <string>

#include "service/kafka/store/stored_batch.h"
#include "service/log/log_scope.h"

namespace neardup {

// 32 hex digits, as W3C Trace Context has them: XXH3 (128 bits) of "neardup batch <state uuid>
// <batch number>". Nothing is stored for it, and it is the same after a crash.
std::string batch_trace_id(const CommitMetadata& mark);

// Log lines of this thread have the fields batch, first_seq, next_seq and trace_id while it lives.
// A batch without flags has first_seq = next_seq.
class BatchScope {
 public:
  explicit BatchScope(const StoredBatch& batch);

 private:
  const std::string trace_id_;
  const LogScope scope_;
};

}  // namespace neardup
