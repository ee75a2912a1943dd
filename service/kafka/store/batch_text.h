// A batch as others see it: its fields in log lines, its flags as JSON.
#pragma once

#include <string>

#include "service/kafka/message/message_writer.h"
#include "service/kafka/store/stored_batch.h"
#include "service/log/log.h"
#include "service/records/flag_writer.h"
#include "service/records/recent_flags.h"

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

// The batch must outlive what these two return.
PartitionOf partition_of(const StoredBatch& batch);
FlagWriter flag_writer_of(const StoredBatch& batch);

// All its flags; these are copies.
FlagBlocks flag_blocks_of(const StoredBatch& batch);

}  // namespace neardup
