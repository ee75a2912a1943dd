// Reads rows of a state by seq, many at a time. Included within storage/ only.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "storage/rocksdb/state.h"

namespace neardup {

// Read options for data that is not needed again soon: they do not put it into the block cache.
rocksdb::ReadOptions read_once();

// Calls found(place, value) for each existing row, where `place` is its index in `seqs`. In
// ascending order of the seqs.
void find_rows(const RocksdbState& state, Family family, std::span<const Seq> seqs,
               const std::function<void(std::size_t place, std::string_view value)>& found,
               const rocksdb::ReadOptions& options = {});

// rows[i] is the document row of seqs[i], or nothing; seqs below `expired_before` have none.
void find_documents(const RocksdbState& state, std::span<const Seq> seqs, Seq expired_before,
                    std::vector<std::optional<DocumentRow>>& rows);

// Calls visit(seq, value) for each row of seqs >= from, ascending, until it returns false.
void scan_rows(const RocksdbState& state, Family family, Seq from,
               const std::function<bool(Seq, std::string_view value)>& visit);

}  // namespace neardup
