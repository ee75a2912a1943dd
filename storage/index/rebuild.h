// Rebuilds the index from the stored documents, for other bands.
#pragma once

#include <cstdint>
#include <functional>

#include "storage/generation/columns.h"
#include "storage/memory_plan.h"
#include "storage/rocksdb/state.h"
#include "storage/store.h"

namespace neardup {

struct Rebuild {
  std::uint64_t purpose = 0;  // identifies the rebuild, to continue an interrupted one
  MakeIndexEntry make;
  std::uint64_t id_key = 0;
  Seq flushed_to = 0;                 // the state has the 1-bit sketches of smaller seqs
  std::function<void(Seq)> progress;  // called with the last seq so far
};

// Writes the generations of the next epoch in addition to the current ones, and returns that epoch.
// Continues an interrupted rebuild of the same purpose, and removes generations of another purpose.
// Requires: nobody else writes to the index.
std::uint32_t build_next_epoch(const RocksdbState& state, const MemoryPlan& memory,
                               const Rebuild& rebuild);

// Removes the generations of an interrupted rebuild.
void remove_next_epoch(const RocksdbState& state);

}  // namespace neardup
