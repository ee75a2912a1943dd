// What RocksDB tells of itself. Included by rocksdb_* only.
#pragma once

#include "storage/readings.h"
#include "storage/rocksdb_state.h"

namespace neardup {

// Any thread.
DatabaseReadings read_database(const RocksdbState& state);

}  // namespace neardup
