// The list of all stores. A new one is a pair of files and a line in stores.cc.
#pragma once

#include <memory>
#include <string>

#include "storage/options.h"
#include "storage/store.h"

namespace neardup {

// Opens the store that `options.store` names. Failure(kConfig) when the directory holds a state of
// another format version or is not one of ours.
std::unique_ptr<Store> open_store(const StorageOptions& options, OpenMode mode);

// Removes the files of a state, and the directory if nothing else is in it. Does nothing if there
// is no state. Requires: no process has it open.
void destroy_state(const std::string& path);

// Whether the state has this program's format. If not, it was opened with kMigrate.
bool has_current_format(Store& store);

}  // namespace neardup
