// Clearing up a state. Included by rocksdb_* only.
#pragma once

#include "storage/rocksdb_state.h"

namespace neardup {

// Erases the postings of documents that are gone. Reads all keys of the documents and of the index;
// holds one bit for each seq near a live one in memory.
void drop_dead_postings(RocksdbState& state, const rocksdb::WriteOptions& options);

}  // namespace neardup
