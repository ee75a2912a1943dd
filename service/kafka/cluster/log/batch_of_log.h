// The log positions of a batch of a decider, stored with its flags.
#pragma once

#include <string_view>

#include "service/kafka/store/stored_batch.h"
#include "storage/store.h"

namespace neardup {

// Sets `sources` and `decided` of a batch that is otherwise complete. `writes`: its changes of the
// state, with LogState and positions of the source. `cluster`: uuid.
void add_log(std::string_view cluster, const WriteSet& writes, StoredBatch& batch);

// The message for the records of `batch` that are sent: those before its first flag were sent
// earlier. Requires: `batch` has a message.
void begin_decided_at_flags(std::string_view cluster, StoredBatch& batch);

}  // namespace neardup
