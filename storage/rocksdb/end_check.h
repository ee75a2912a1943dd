// Compares a state with the end that was stored last, so that lost bytes are not taken for a crash.
//
// A crash takes nothing that `end` names: only synced bytes are named, the process that has the
// state open writes a new `end` before it removes a log, and manifests only grow. Opening for
// writing makes a new manifest before it removes logs, so behind a newer manifest than the named
// one the files are not compared. All failures are Failure(kIo).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "storage/rocksdb/stored_end.h"

namespace neardup {

// How far an open database reaches.
struct Reach {
  std::uint64_t next_seq = 0;
  std::uint64_t sequence = 0;
};

// Compares logs and manifest with `end`, which it returns; nothing where the state has none.
// Another process may have the state open. Throws when a file ends before what `end` names or has
// other bytes, and for a state without CURRENT; changes nothing.
std::optional<StoredEnd> check_end_files(const std::string& state);

// Throws when the opened database is of another state, or reaches less far than `end`.
void check_end_reached(const std::string& state, const StoredEnd& end, const std::string& uuid,
                       const Reach& reach);

}  // namespace neardup
