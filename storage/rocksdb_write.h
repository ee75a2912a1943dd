// From a set of changes to one RocksDB batch. Included by rocksdb_* only.
#pragma once

#include <rocksdb/write_batch.h>

#include "storage/rocksdb_state.h"
#include "storage/store.h"
#include "storage/text_codec.h"

namespace neardup {

// Adds all of `writes` to `batch`, in the order that WriteSet promises. `texts` is null when texts
// are not kept.
void add_writes(const RocksdbState& state, const WriteSet& writes, TextCodec* texts,
                rocksdb::WriteBatch& batch);

}  // namespace neardup
