// The fields by which log lines identify a batch: its number, its range of seqs, and a trace id.
#pragma once

#include <string>

#include "service/kafka/store/stored_batch.h"
#include "service/log/log_scope.h"

namespace neardup {

// A trace id of W3C Trace Context, 32 hex digits: XXH3 (128 bits) of "neardup batch <state uuid>
// <batch number>". It is the same after a crash, and is not stored.
std::string batch_trace_id(const CommitMetadata& mark);

// While it lives, log lines of this thread have the fields batch, first_seq, next_seq and trace_id.
// A batch without flags has first_seq = next_seq.
class BatchScope {
 public:
  explicit BatchScope(const StoredBatch& batch);

 private:
  const std::string trace_id_;
  const LogScope scope_;
};

}  // namespace neardup
