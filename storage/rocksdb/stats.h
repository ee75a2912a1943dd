// Statistics of RocksDB. Included by rocksdb_* only.
#pragma once

#include "storage/rocksdb/state.h"
#include "storage/stats.h"

namespace neardup {

// Any thread.
DatabaseStats read_database(const RocksdbState& state);

}  // namespace neardup
