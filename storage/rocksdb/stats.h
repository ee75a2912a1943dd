// Statistics of RocksDB. Included within storage/ only.
#pragma once

#include "storage/rocksdb/state.h"
#include "storage/stats.h"

namespace neardup {

// Any thread.
DatabaseStats read_database(const RocksdbState& state);

}  // namespace neardup
