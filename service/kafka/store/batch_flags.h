// The flags of a batch as JSON. The batch must outlive what these return.
#pragma once

#include "service/kafka/message/message_writer.h"
#include "service/kafka/store/stored_batch.h"
#include "service/records/flag_writer.h"
#include "service/records/recent_flags.h"

namespace neardup {

PartitionOf partition_of(const StoredBatch& batch);
FlagWriter flag_writer_of(const StoredBatch& batch);

// All of them; these are copies.
FlagBlocks flag_blocks_of(const StoredBatch& batch);

}  // namespace neardup
