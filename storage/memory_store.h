// The store in memory, which is lost with the process.
#pragma once

#include <memory>

#include "storage/options.h"
#include "storage/store.h"

namespace neardup {

// Throws Failure(kUnavailable) for OpenMode::kReadOnly, as there is never a state to read.
std::unique_ptr<Store> open_memory_store(const StorageOptions& options, OpenMode mode);

}  // namespace neardup
