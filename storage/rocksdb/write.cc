#include "storage/rocksdb/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pipeline/base/failure.h"
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

CopyKey copy_key_of(const IdRow& row) { return encode_copy_key({row.original, row.seq}); }

// The seqs that get a tombstone, ascending and distinct: a document and its id are erased together.
std::vector<Seq> ended_by(const WriteSet& writes) {
  std::vector<Seq> ended = writes.erase_documents;
  for (const auto& [key, row] : writes.erase_ids) ended.push_back(row.seq);
  std::sort(ended.begin(), ended.end());
  ended.erase(std::unique(ended.begin(), ended.end()), ended.end());
  return ended;
}

void erase_rows(const WriteSet& writes, bool has_texts, BatchWriter& batch) {
  for (const Seq seq : writes.erase_documents) {
    const RowKey key = encode_row_key(seq);
    batch.erase(Family::kDocs, as_slice(key));
  }
  for (const auto& [key, row] : writes.erase_ids) {
    if (!is_implied(row)) batch.erase(Family::kIds, as_slice(encode_row_key(row.seq)));
    if (!row.kept) batch.erase(Family::kCopies, as_slice(copy_key_of(row)));
  }
  for (const Seq seq : ended_by(writes)) {
    const RowKey key = encode_row_key(seq);
    batch.put(Family::kEnded, as_slice(key), {});
    if (has_texts) batch.erase(Family::kTexts, as_slice(key));
  }
  for (const std::uint64_t number : writes.erase_outbox) {
    batch.erase(Family::kOutbox, as_slice(encode_outbox_key(number)));
  }
}

void put_documents(const WriteSet& writes, BatchWriter& batch) {
  for (const DocumentPut& put : writes.documents) {
    batch.put(Family::kDocs, as_slice(encode_row_key(put.row.seq)), encode_document(put.row));
  }
}

void put_texts(const WriteSet& writes, TextCodec& codec, BatchWriter& batch) {
  std::vector<std::pair<Seq, std::string_view>> texts = writes.texts;
  for (const DocumentPut& put : writes.documents) texts.emplace_back(put.row.seq, put.text);
  std::ranges::sort(texts, {}, &std::pair<Seq, std::string_view>::first);
  for (const auto& [seq, text] : texts) {
    if (text.size() > kMaxStoredTextBytes) {
      throw Failure(Exit::kConfig,
                    fmt::format("the text of document {} has {} bytes, at most {} can be kept: "
                                "lower text.max_bytes",
                                seq, text.size(), kMaxStoredTextBytes));
    }
    batch.put(Family::kTexts, as_slice(encode_row_key(seq)), codec.encode(text));
  }
}

void put_ids(const WriteSet& writes, BatchWriter& batch) {
  std::vector<const std::pair<IdKey, IdRow>*> stored;
  for (const auto& id : writes.ids) {
    if (!is_implied(id.second)) stored.push_back(&id);
  }
  // Ascending keys let RocksDB insert each after the previous one.
  std::ranges::sort(stored, {}, [](const auto* id) { return id->second.seq; });
  for (const auto* id : stored) {
    batch.put(Family::kIds, as_slice(encode_row_key(id->second.seq)),
              encode_id(id->first, id->second));
    if (!id->second.kept) batch.put(Family::kCopies, as_slice(copy_key_of(id->second)), {});
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

void add_writes(const RocksdbState& state, const WriteSet& writes, const StoredTexts& texts,
                rocksdb::WriteBatch& batch) {
  BatchWriter writer(state, batch);
  erase_rows(writes, texts.any, writer);
  put_documents(writes, writer);
  if (texts.keep != nullptr) put_texts(writes, *texts.keep, writer);
  put_ids(writes, writer);
  put_meta(writes, writer);
  for (const auto& [number, value] : writes.outbox) {
    writer.put(Family::kOutbox, as_slice(encode_outbox_key(number)), value);
  }
}

}  // namespace neardup
