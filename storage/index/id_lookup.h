// Look-ups of ids and ages, which need document rows and id rows. Included within storage/ only.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "storage/index/index.h"
#include "storage/rocksdb/open_writes.h"
#include "storage/rocksdb/state.h"
#include "storage/store.h"

namespace neardup {

// As Store::ids, with the changes of `open` on top. Ids of seqs below `expired_before` are expired,
// and not returned.
void find_ids(const RocksdbState& state, Index& index, const OpenWrites& open,
              std::span<const IdKey> keys, Seq expired_before,
              std::vector<std::optional<IdRow>>& rows);

// As Store::find_id.
std::optional<IdRow> find_id(const RocksdbState& state, Index& index, const IdKey& key);

// As Store::ages.
void read_ages(const RocksdbState& state, Seq from, std::size_t limit, std::vector<Age>& ages);

}  // namespace neardup
