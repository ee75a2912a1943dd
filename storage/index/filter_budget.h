// Keeps the filters of all generations within a budget: fewer bits each, the oldest first; and in
// the end none for the oldest, whose pages are then read for every look-up.
#pragma once

#include <cstdint>

#include "storage/index/index_state.h"
#include "storage/rocksdb/state.h"

namespace neardup {

// Bits a posting for the filters of a new generation, when all postings share `budget`: from
// kLeastFilterBits to kMostFilterBits.
std::uint64_t filter_bits(std::uint64_t budget, std::uint64_t postings);

// Folds and drops filters until they fit. Takes the mutex of `shared` for one column at a time.
void fit_filters(IndexState& shared, std::uint64_t budget) EXCLUDES(shared.mutex);

// Reads the filters of all generations, folded so that they fit.
void read_filters(const RocksdbState& state, IndexState& shared, std::uint64_t budget)
    REQUIRES(shared.mutex);

}  // namespace neardup
