// Rows of a state by seq, many at a time. Included by rocksdb_* and index/* only.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include "storage/rocksdb/state.h"

namespace neardup {

// For what is not read again soon: it would push out of the cache what is.
rocksdb::ReadOptions read_once();

// Calls found(place, value) for each row that is there; `place` tells which of `seqs` it is. In the
// order of the seqs.
void find_rows(const RocksdbState& state, Family family, std::span<const Seq> seqs,
               const std::function<void(std::size_t place, std::string_view value)>& found);

// Calls visit(seq, value) for each row of seqs >= from, ascending, until it returns false.
void scan_rows(const RocksdbState& state, Family family, Seq from,
               const std::function<bool(Seq, std::string_view value)>& visit);

}  // namespace neardup
