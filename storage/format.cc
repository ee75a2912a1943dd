#include "storage/format.h"

#include "storage/bytes.h"

namespace neardup {
namespace {

constexpr std::uint64_t kDocumentVersion = 2;
constexpr std::uint64_t kIdVersion = 2;
constexpr std::uint64_t kKept = 1;
constexpr std::uint64_t kHasDocument = 2;
// Upper bounds of the size without strings and words.
constexpr std::size_t kDocumentFixedBytes = 64;
constexpr std::size_t kIdFixedBytes = 48;

}  // namespace

StoredId implied_id(DocumentRow document) {
  IdRow row;
  row.seq = document.seq;
  row.time_ms = document.time_ms;
  row.content = document.content;
  return {{std::move(document.name_space), std::move(document.id)}, row};
}

RowKey encode_row_key(Seq seq) {
  RowKey key;
  put_big_endian(key.data(), seq, kSeqBytes);
  return key;
}

std::optional<Seq> decode_row_key(std::string_view key) {
  if (key.size() != kSeqBytes) return {};
  return get_big_endian(key);
}

std::string encode_document(const DocumentRow& row) {
  std::string value;
  value.reserve(kDocumentFixedBytes + row.id.size() + row.name_space.size() +
                8 * row.sketch.size());
  ByteWriter writer(value);
  writer.little_endian(kDocumentVersion, 1);
  writer.little_endian(static_cast<std::uint64_t>(row.time_ms), 8);
  writer.little_endian(row.content.low, 8);
  writer.little_endian(row.content.high, 8);
  writer.varint(row.tokens);
  writer.varint(row.distinct_shingles);
  writer.varint(row.text_bytes);
  writer.bytes(row.name_space);
  writer.bytes(row.id);
  writer.words(row.sketch);
  return value;
}

std::optional<DocumentRow> decode_document(Seq seq, std::string_view value) {
  ByteReader reader(value);
  if (reader.little_endian(1) != kDocumentVersion) return {};
  DocumentRow row;
  row.seq = seq;
  row.time_ms = static_cast<std::int64_t>(reader.little_endian(8));
  row.content.low = reader.little_endian(8);
  row.content.high = reader.little_endian(8);
  row.tokens = reader.varint32();
  row.distinct_shingles = reader.varint32();
  row.text_bytes = reader.varint32();
  row.name_space = reader.bytes();
  row.id = reader.bytes();
  row.sketch = reader.words();
  if (!reader.finished()) return {};
  return row;
}

std::string unique_bytes(const IdKey& key) {
  std::string bytes;
  bytes.reserve(2 + key.name_space.size() + key.id.size());
  ByteWriter(bytes).bytes(key.name_space);
  bytes.append(key.id);
  return bytes;
}

std::string encode_id(const IdKey& key, const IdRow& row) {
  std::string value;
  value.reserve(kIdFixedBytes + key.name_space.size() + key.id.size());
  ByteWriter writer(value);
  writer.little_endian(kIdVersion, 1);
  writer.little_endian((row.kept ? kKept : 0) | (row.has_document ? kHasDocument : 0), 1);
  writer.little_endian(static_cast<std::uint64_t>(row.time_ms), 8);
  writer.little_endian(row.content.low, 8);
  writer.little_endian(row.content.high, 8);
  writer.little_endian(row.original, kSeqBytes);
  writer.little_endian(row.similarity, 4);
  writer.bytes(key.name_space);
  writer.bytes(key.id);
  return value;
}

std::optional<StoredId> decode_id(Seq seq, std::string_view value) {
  ByteReader reader(value);
  const std::uint64_t version = reader.little_endian(1);
  const std::uint64_t flags = reader.little_endian(1);
  if (version != kIdVersion || (flags & ~(kKept | kHasDocument)) != 0) return {};
  StoredId id;
  id.row.seq = seq;
  id.row.kept = (flags & kKept) != 0;
  id.row.has_document = (flags & kHasDocument) != 0;
  id.row.time_ms = static_cast<std::int64_t>(reader.little_endian(8));
  id.row.content.low = reader.little_endian(8);
  id.row.content.high = reader.little_endian(8);
  id.row.original = reader.little_endian(kSeqBytes);
  id.row.similarity = static_cast<Ppm>(reader.little_endian(4));
  id.key.name_space = reader.bytes();
  id.key.id = reader.bytes();
  if (!reader.finished()) return {};
  return id;
}

std::string encode_counts(const StoredCounts& counts) {
  std::string value;
  ByteWriter writer(value);
  writer.little_endian(counts.documents, 8);
  writer.little_endian(counts.ids, 8);
  return value;
}

OutboxKey encode_outbox_key(std::uint64_t batch) {
  OutboxKey key;
  put_big_endian(key.data(), batch, key.size());
  return key;
}

CopyKey encode_copy_key(CopySeqs seqs) {
  CopyKey key;
  put_big_endian(key.data(), seqs.original, kSeqBytes);
  put_big_endian(key.data() + kSeqBytes, seqs.copy, kSeqBytes);
  return key;
}

std::optional<CopySeqs> decode_copy_key(std::string_view key) {
  if (key.size() != 2 * kSeqBytes) return {};
  return CopySeqs{get_big_endian(key.substr(0, kSeqBytes)), get_big_endian(key.substr(kSeqBytes))};
}

std::optional<StoredCounts> decode_counts(std::string_view value) {
  ByteReader reader(value);
  StoredCounts counts;
  counts.documents = reader.little_endian(8);
  counts.ids = reader.little_endian(8);
  if (!reader.finished()) return {};
  return counts;
}

}  // namespace neardup
