// Converts rows to entries of the memtable.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "storage/index/memtable.h"
#include "storage/rocksdb/state.h"
#include "storage/store.h"

namespace neardup {

// The entries of the rows that a commit puts, ascending by seq. They point into `writes`.
std::vector<MemtableEntry> entries_of(const WriteSet& writes, std::uint64_t id_key);

// Calls take(entries) for all stored rows of seqs >= from, some thousands at a time, ascending. If
// `make` is empty, the entries have no bands: documents are then found only by id and content.
void read_entries(const RocksdbState& state, Seq from, const MakeIndexEntry& make,
                  std::uint64_t id_key,
                  const std::function<void(std::span<const MemtableEntry>)>& take);

}  // namespace neardup
