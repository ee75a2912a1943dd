// The store in memory: ends with the process.
#pragma once

#include <memory>

#include "storage/options.h"
#include "storage/store.h"

namespace neardup {

// Failure(kUnavailable) for OpenMode::kReadOnly: there never is a state to read.
std::unique_ptr<Store> open_memory_store(const StorageOptions& options, OpenMode mode);

}  // namespace neardup
