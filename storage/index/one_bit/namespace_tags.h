// The namespace tags of stored documents, by runs of kRunSeqs seqs. They follow from the rows, and
// are stored so that a search can skip documents of other namespaces, and deleted ones, without
// reading rows.
#pragma once

#include <rocksdb/write_batch.h>

#include <optional>
#include <string>
#include <string_view>

#include "storage/index/one_bit/one_bits.h"
#include "storage/rocksdb/state.h"

namespace neardup {

//   tags key   := "tags/" row key of the first seq of the run
//   tags value := 0:u8                                   no document
//               | 1:u8 tag:u16le, a bit a seq            one tag; the first seq is bit 0 of byte 0
//               | 2:u8, kRunSeqs times tag:u16le         several tags
std::string encode_tags(const RunTags& tags);
// Nothing unless `value` is exactly what encoding would write.
std::optional<RunTags> decode_tags(std::string_view value);

// The tags of a run: those stored, or else, for states of earlier programs, those of its rows.
// Deleted documents may have tags until the index forgets their tombstones. `snapshot`: null reads
// the latest.
RunTags read_tags(const RocksdbState& state, std::uint64_t run,
                  const rocksdb::Snapshot* snapshot = nullptr);

void put_tags(const RocksdbState& state, std::uint64_t run, const RunTags& tags,
              rocksdb::WriteBatch& batch);

// Erases the tags of runs that lie below `before` as a whole.
void erase_tags(const RocksdbState& state, Seq before, rocksdb::WriteBatch& batch);

}  // namespace neardup
