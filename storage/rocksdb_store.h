// The store on disk. See docs/formats/state.md.
#pragma once

#include <memory>

#include "storage/options.h"
#include "storage/store.h"

namespace neardup {

std::unique_ptr<Store> open_rocksdb_store(const StorageOptions& options, OpenMode mode);
void destroy_rocksdb_state(const std::string& path);

}  // namespace neardup
