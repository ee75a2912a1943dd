// Converts a WriteSet to a RocksDB batch. Included within storage/ only.
#pragma once

#include <rocksdb/write_batch.h>

#include "storage/rocksdb/state.h"
#include "storage/rocksdb/text_codec.h"
#include "storage/store.h"

namespace neardup {

struct StoredTexts {
  TextCodec* keep = nullptr;  // null when texts of new documents are not kept
  bool any = false;           // some document of the state may have a text
};

// Adds all of `writes` to `batch`, in the order that WriteSet specifies.
void add_writes(const RocksdbState& state, const WriteSet& writes, const StoredTexts& texts,
                rocksdb::WriteBatch& batch);

}  // namespace neardup
