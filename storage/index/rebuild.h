// The index made again from the stored documents, for other bands.
#pragma once

#include <cstdint>
#include <functional>

#include "storage/generation/columns.h"
#include "storage/memory_plan.h"
#include "storage/rocksdb/state.h"
#include "storage/store.h"

namespace neardup {

struct Rebuild {
  std::uint64_t purpose = 0;  // a rebuild goes on where one of the same purpose was cut off
  MakeIndexEntry make;
  std::uint64_t id_key = 0;
  Seq flushed_to = 0;                 // the state has the 1-bit sketches of smaller seqs
  std::function<void(Seq)> progress;  // is told the seq that was reached
};

// Writes the generations of the next epoch, beside those in use, and returns its number. Goes on
// where an earlier call with the same purpose was cut off; what one with another has left is
// removed. Requires: nobody else writes to the index.
std::uint32_t build_next_epoch(const RocksdbState& state, const MemoryPlan& memory,
                               const Rebuild& rebuild);

// Removes what a rebuild that was cut off has left.
void remove_next_epoch(const RocksdbState& state);

}  // namespace neardup
