// Keeps the filters of all generations within a budget. It first reduces their bits, the oldest
// first, and then drops the filters of the oldest generations, whose pages every look-up then
// reads.
#pragma once

#include <cstdint>

#include "storage/index/index_state.h"
#include "storage/rocksdb/state.h"

namespace neardup {

// Bits per posting for the filters of a new generation, when `budget` bytes are for `postings` in
// all: from kLeastFilterBits to kMostFilterBits.
std::uint64_t filter_bits(std::uint64_t budget, std::uint64_t postings);

// Folds and drops filters until they fit. Locks the mutex of `shared` for one column at a time.
void fit_filters(IndexState& shared, std::uint64_t budget) EXCLUDES(shared.mutex);

// Reads the stored filters of all generations, folded to fit, those of the oldest first. The oldest
// get none if there is no room.
void read_filters(const RocksdbState& state, IndexState& shared, std::uint64_t budget)
    REQUIRES(shared.mutex);

}  // namespace neardup
