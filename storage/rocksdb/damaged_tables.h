// Which tables keep a database from being opened. Included within storage/ only.
#pragma once

#include <rocksdb/db.h>

#include <string>
#include <vector>

#include "storage/rocksdb/families.h"

namespace neardup {

// The paths of the tables that are missing, cannot be read, or are not those of the manifest, for a
// database that was not opened because of `status`, whose message may name the manifest alone.
// None: the manifest cannot be read, or what is damaged is no table. Reads the ends of all tables,
// not their rows, as opening does; changes nothing.
std::vector<std::string> damaged_tables(
    const RocksdbOptions& tuned, const std::string& path,
    const std::vector<rocksdb::ColumnFamilyDescriptor>& families, const rocksdb::Status& status);

}  // namespace neardup
