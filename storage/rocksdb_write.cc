#include "storage/rocksdb_write.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pipeline/core/failure.h"
#include "storage/format.h"

namespace neardup {
namespace {

using rocksdb::Slice;

class BatchWriter {
 public:
  BatchWriter(const RocksdbState& state, rocksdb::WriteBatch& batch)
      : state_(state), batch_(batch) {}

  void put(Family family, const Slice& key, const Slice& value) {
    state_.check(batch_.Put(state_.family(family), key, value), "gathering a batch");
  }
  void erase(Family family, const Slice& key) {
    state_.check(batch_.Delete(state_.family(family), key), "gathering a batch");
  }

 private:
  const RocksdbState& state_;
  rocksdb::WriteBatch& batch_;
};

void erase_rows(const WriteSet& writes, BatchWriter& batch) {
  for (const Seq seq : writes.erase_documents) {
    const RowKey key = encode_row_key(seq);
    batch.erase(Family::kDocs, as_slice(key));
    batch.erase(Family::kTexts, as_slice(key));
    batch.put(Family::kEnded, as_slice(key), {});
  }
  for (const auto& [key, seq] : writes.erase_ids) {
    const RowKey row = encode_row_key(seq);
    batch.erase(Family::kIds, as_slice(row));
    batch.put(Family::kEnded, as_slice(row), {});
  }
  for (const std::uint64_t number : writes.erase_outbox) {
    batch.erase(Family::kOutbox, as_slice(encode_outbox_key(number)));
  }
}

void put_documents(const WriteSet& writes, TextCodec* texts, BatchWriter& batch) {
  for (const DocumentPut& put : writes.documents) {
    const RowKey key = encode_row_key(put.row.seq);
    batch.put(Family::kDocs, as_slice(key), encode_document(put.row));
    if (texts == nullptr) continue;
    if (put.text.size() > kMaxStoredTextBytes) {
      throw Failure(Exit::kConfig,
                    fmt::format("the text of document {} has {} bytes, at most {} can be kept: "
                                "lower text.max_bytes",
                                put.row.seq, put.text.size(), kMaxStoredTextBytes));
    }
    batch.put(Family::kTexts, as_slice(key), texts->encode(put.text));
  }
}

void put_ids(const WriteSet& writes, BatchWriter& batch) {
  for (const auto& [key, row] : writes.ids) {
    if (is_implied(row)) continue;
    batch.put(Family::kIds, as_slice(encode_row_key(row.seq)), encode_id(key, row));
  }
}

void put_meta(const WriteSet& writes, BatchWriter& batch) {
  for (const auto& [key, value] : writes.meta) {
    if (value.empty()) {
      batch.erase(Family::kMeta, key);
    } else {
      batch.put(Family::kMeta, key, value);
    }
  }
}

}  // namespace

void add_writes(const RocksdbState& state, const WriteSet& writes, TextCodec* texts,
                rocksdb::WriteBatch& batch) {
  BatchWriter writer(state, batch);
  erase_rows(writes, writer);
  put_documents(writes, texts, writer);
  put_ids(writes, writer);
  put_meta(writes, writer);
  for (const auto& [number, value] : writes.outbox) {
    writer.put(Family::kOutbox, as_slice(encode_outbox_key(number)), value);
  }
}

}  // namespace neardup
