// Retention: rows below a watermark are gone at once, and their bytes later, many at a time.
// Included by rocksdb_* only.
#pragma once

#include <rocksdb/write_batch.h>

#include "storage/format.h"
#include "storage/rocksdb/state.h"

namespace neardup {

// How many rows there are of seqs in [from, to).
StoredCounts count_rows(const RocksdbState& state, Seq from, Seq to);

// Adds the erasure of all rows below `before` to a batch.
void erase_expired(const RocksdbState& state, Seq before, rocksdb::WriteBatch& batch);

// Removes the files that hold nothing else. After the batch is written.
void drop_expired_files(const RocksdbState& state, Seq before);

}  // namespace neardup
