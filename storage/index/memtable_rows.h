// From rows to entries of the memtable of the index.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "storage/index/memtable.h"
#include "storage/rocksdb/state.h"
#include "storage/store.h"

namespace neardup {

// What a commit puts, in the order of the seqs. The entries look into `writes`.
std::vector<MemtableEntry> entries_of(const WriteSet& writes, std::uint64_t id_key);

// Calls take(entries) for all stored rows of seqs >= from, some thousands at a time. Without
// `make`, no bands: then documents are found by id and content only.
void read_entries(const RocksdbState& state, Seq from, const MakeIndexEntry& make,
                  std::uint64_t id_key,
                  const std::function<void(std::span<const MemtableEntry>)>& take);

}  // namespace neardup
