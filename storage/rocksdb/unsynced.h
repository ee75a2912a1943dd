// The environment of a temporary state. Included within storage/ only.
#pragma once

#include <rocksdb/env.h>

#include <memory>

namespace neardup {

// The default environment without syncs: written data survives a crash of the process, but not of
// the machine. It saves some 25 syncs for creating a state, up to 0.25 s on a slow disk.
std::unique_ptr<rocksdb::Env> unsynced_env();

}  // namespace neardup
