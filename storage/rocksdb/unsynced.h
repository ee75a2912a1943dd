// Files for a temporary state. Included by rocksdb_* only.
#pragma once

#include <rocksdb/env.h>

#include <memory>

namespace neardup {

// The default environment, but nothing waits for the disk: what it writes survives the process, not
// the machine. Creating a state takes some 25 syncs, up to 0.25 s on a slow disk.
std::unique_ptr<rocksdb::Env> unsynced_env();

}  // namespace neardup
