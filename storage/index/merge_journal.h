// An incomplete merge, as stored under `index_merge` in the family `default`: the next run
// continues it instead of starting over.
//
//   value := version:u8 = 1  generation:varint filter_bits:varint expired_before:varint
//            sources:varint, then the number of each: varint
//            files:varint, then the size of each: varint
//            manifest:bytes                of the result, with its complete columns
//            deleted:varint, then for each the distance from the previous: varint
//
// The files hold the complete columns and are in the state's directory
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
  SeqSet deleted;                         // documents left out of all columns
};

std::string encode_merge_journal(const MergeJournal& journal);
std::optional<MergeJournal> decode_merge_journal(std::string_view value);

// Durable when the call returns.
void write_merge_journal(const RocksdbState& state, const MergeJournal& journal);
void erase_merge_journal(const RocksdbState& state);

// The stored journal if its merge can be continued: its sources are neighbours in `current`, the
// current generations by seq, and its files exist. Erases a journal that cannot be used.
std::optional<MergeJournal> take_merge_journal(const RocksdbState& state,
                                               std::span<const Manifest> current);

}  // namespace neardup
