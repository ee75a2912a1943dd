// Originals and their copies. Included within storage/ only.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "storage/rocksdb/state.h"
#include "storage/store.h"

namespace neardup {

// Both as in Store, and for any thread. Originals below `expired_before` have expired.
std::vector<std::pair<IdKey, IdRow>> read_copies(const RocksdbState& state, Seq original, Seq from,
                                                 std::size_t limit);
std::vector<DocumentGroup> find_largest_groups(const RocksdbState& state, Seq expired_before,
                                               std::size_t limit);

// Writes the copies that the id rows name, for a state of an older format.
void put_missing_copies(const RocksdbState& state);

}  // namespace neardup
