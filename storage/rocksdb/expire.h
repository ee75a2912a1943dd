// Retention: rows below a watermark expire at once, and are erased later, many at a time. Included
// within storage/ only.
#pragma once

#include <rocksdb/write_batch.h>

#include "storage/format.h"
#include "storage/rocksdb/state.h"

namespace neardup {

// The number of documents and ids with seqs in [from, to).
StoredCounts count_rows(const RocksdbState& state, Seq from, Seq to);

// Adds the erasure of all rows below `before` to a batch.
void erase_expired(const RocksdbState& state, Seq before, rocksdb::WriteBatch& batch);

// Removes the files of a family that hold only keys of seqs below `before`.
void drop_files(const RocksdbState& state, Family family, Seq before);

// Removes the files that hold only rows below `before`. To be called after the batch of
// erase_expired is written.
void drop_expired_files(const RocksdbState& state, Seq before);

}  // namespace neardup
