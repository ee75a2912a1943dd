// The store on disk. See docs/formats/state.md.
#pragma once

#include <memory>
#include <string>

#include "storage/options.h"
#include "storage/store.h"

namespace neardup {

std::unique_ptr<Store> open_rocksdb_store(const StorageOptions& options, OpenMode mode);
void destroy_rocksdb_state(const std::string& path);

// The version of the RocksDB library in use: "7.8.3".
std::string rocksdb_version();

}  // namespace neardup
