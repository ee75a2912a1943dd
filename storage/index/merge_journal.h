// A merge that is not complete, as stored under `index_merge` in the family `default`: the next run
// continues it instead of beginning it again.
//
//   value := version:u8 = 1  generation:varint filter_bits:varint expired_before:varint
//            sources:varint, then the number of each: varint
//            files:varint, then the size of each: varint
//            manifest:bytes                of the result, with the columns that are complete
//            deleted:varint, then for each the distance from the one before: varint
//
// The files hold the complete columns and lie beside the state's own
// (storage/generation/sst_files.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/generation/format.h"
#include "storage/index/seq_set.h"
#include "storage/rocksdb/state.h"

namespace neardup {

struct MergeJournal {
  std::vector<std::uint32_t> sources;  // numbers of generations, by seq
  std::uint64_t filter_bits = 0;
  Seq expired_before = 0;
  Manifest result;
  std::vector<std::uint64_t> file_bytes;  // sizes of the files, in their order
  SeqSet deleted;                         // what is left out of all columns
};

std::string encode_merge_journal(const MergeJournal& journal);
std::optional<MergeJournal> decode_merge_journal(std::string_view value);

// Durable when the call returns.
void write_merge_journal(const RocksdbState& state, const MergeJournal& journal);
void erase_merge_journal(const RocksdbState& state);

// The stored journal, if its merge can be continued: its sources are neighbours in `current`, the
// generations in use by seq, and its files are there. A journal that cannot be used is erased.
std::optional<MergeJournal> take_merge_journal(const RocksdbState& state,
                                               std::span<const Manifest> current);

}  // namespace neardup
