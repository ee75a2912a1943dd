#include "storage/rocksdb_write.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pipeline/core/failure.h"
#include "storage/format.h"

namespace neardup {
namespace {

using rocksdb::Slice;

template <std::size_t size>
Slice as_slice(const std::array<char, size>& bytes) {
  return {bytes.data(), size};
}

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
    const DocumentKey key = encode_document_key(seq);
    batch.erase(Family::kDocs, as_slice(key));
    batch.erase(Family::kTexts, as_slice(key));
  }
  for (const Posting& posting : writes.erase_postings) {
    batch.erase(Family::kIndex, as_slice(encode_posting_key(posting.bucket, posting.seq)));
  }
  for (const IdKey& key : writes.erase_ids) batch.erase(Family::kIds, encode_id_key(key));
  for (const std::uint64_t number : writes.erase_outbox) {
    batch.erase(Family::kOutbox, as_slice(encode_outbox_key(number)));
  }
}

void put_documents(const WriteSet& writes, TextCodec* texts, BatchWriter& batch) {
  for (const DocumentPut& put : writes.documents) {
    const DocumentKey key = encode_document_key(put.row.seq);
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

// In the order of their keys, which makes each insertion cheap (rocksdb_families.cc).
void put_postings(const WriteSet& writes, BatchWriter& batch) {
  std::vector<Posting> sorted = writes.postings;
  std::sort(sorted.begin(), sorted.end(), [](const Posting& a, const Posting& b) {
    return std::tie(a.bucket, a.seq) < std::tie(b.bucket, b.seq);
  });
  for (const Posting& posting : sorted) {
    batch.put(Family::kIndex, as_slice(encode_posting_key(posting.bucket, posting.seq)),
              as_slice(encode_posting_value(posting.mini)));
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
  put_postings(writes, writer);
  for (const auto& [key, row] : writes.ids) {
    writer.put(Family::kIds, encode_id_key(key), encode_id(row));
  }
  put_meta(writes, writer);
  for (const auto& [number, value] : writes.outbox) {
    writer.put(Family::kOutbox, as_slice(encode_outbox_key(number)), value);
  }
}

}  // namespace neardup
