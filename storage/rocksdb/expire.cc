#include "storage/rocksdb/expire.h"

#include <rocksdb/convenience.h>

#include <array>

#include "storage/rocksdb/read.h"

namespace neardup {
namespace {

using rocksdb::Slice;

constexpr std::array kBySeq = {Family::kDocs, Family::kIds, Family::kTexts, Family::kEnded,
                               Family::kCopies};

}  // namespace

StoredCounts count_rows(const RocksdbState& state, Seq from, Seq to) {
  StoredCounts counts;
  scan_rows(state, Family::kDocs, from, [&](Seq seq, std::string_view) {
    if (seq >= to) return false;
    ++counts.documents;
    return true;
  });
  counts.ids = counts.documents;
  scan_rows(state, Family::kIds, from, [&](Seq seq, std::string_view value) {
    if (seq >= to) return false;
    const auto id = decode_id(seq, value);
    if (!id) state.damaged("an id");
    counts.ids += id->row.has_document ? 0 : 1;
    return true;
  });
  return counts;
}

void erase_expired(const RocksdbState& state, Seq before, rocksdb::WriteBatch& batch) {
  // The range starts at the empty key, which has no prefix: with a prefix, RocksDB would use the
  // insertion hint of the rows for ranges, too.
  const Slice first;
  const RowKey end = encode_row_key(before);
  for (const Family family : kBySeq) {
    state.check(batch.DeleteRange(state.family(family), first, as_slice(end)), "gathering a batch");
  }
}

void drop_files(const RocksdbState& state, Family family, Seq before) {
  const RowKey first = encode_row_key(0);
  const RowKey end = encode_row_key(before);
  const Slice from = as_slice(first);
  const Slice to = as_slice(end);
  state.check(rocksdb::DeleteFilesInRange(&state.db(), state.family(family), &from, &to, false),
              "dropping expired files");
}

void drop_expired_files(const RocksdbState& state, Seq before) {
  for (const Family family : {Family::kDocs, Family::kIds, Family::kTexts, Family::kCopies}) {
    drop_files(state, family, before);
  }
}

}  // namespace neardup
