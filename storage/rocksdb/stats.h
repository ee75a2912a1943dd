// What RocksDB tells of itself. Included by rocksdb_* only.
#pragma once

#include "storage/rocksdb/database.h"
#include "storage/stats.h"

namespace neardup {

// Any thread.
DatabaseReadings read_database(const RocksdbState& state);

}  // namespace neardup
