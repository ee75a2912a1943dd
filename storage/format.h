// The stored formats of rows (docs/formats/state.md). Those of the index are in
// storage/generation/format.h.
//
//   row key        := seq:u40be              of documents, ids, texts, tombstones
//   document value := version:u8 = 2
//                     time_ms:u64le content.low:u64le content.high:u64le
//                     tokens:varint distinct_shingles:varint text_bytes:varint
//                     bytes(namespace) bytes(id) words(sketch)
//   id value       := version:u8 = 2  flags:u8                 bit 0: kept, bit 1: has a document
//                     time_ms:u64le content.low:u64le content.high:u64le
//                     original:u40le similarity:u32le bytes(namespace) bytes(id)
//   copy key       := original:u40be copy:u40be                the value is empty
//   counts value   := documents:u64le ids:u64le
//   outbox key     := batch:u64be                              the value is the caller's, not empty
//   bytes(s)       := size:varint, then the bytes
//   words(w)       := count:varint, then each word as u64le
//   varint         := LEB128 in its shortest form
//
// Seqs and batches in keys are big-endian, so that keys are in the order of arrival. The id of a
// kept document has no id row, since the document row implies it.
//
// Decoding accepts any bytes, and returns nothing unless they are exactly what encoding would
// write.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/model/types.h"
#include "storage/store.h"

namespace neardup {

inline constexpr std::size_t kSeqBytes = 5;

using RowKey = std::array<char, kSeqBytes>;
using OutboxKey = std::array<char, 8>;
using CopyKey = std::array<char, 2 * kSeqBytes>;

// A document that repeats another.
struct CopySeqs {
  Seq original = 0;
  Seq copy = 0;
};

// The number of rows in the store, updated by every commit.
struct StoredCounts {
  std::uint64_t documents = 0;
  std::uint64_t ids = 0;
  bool operator==(const StoredCounts&) const = default;
};

struct StoredId {
  IdKey key;
  IdRow row;
};

// Whether the id row is implied by the document row, and therefore not stored.
inline bool is_implied(const IdRow& row) { return row.kept && row.has_document; }
StoredId implied_id(DocumentRow document);

// All of these require seqs of at most kMaxSeq.
RowKey encode_row_key(Seq seq);
std::string encode_document(const DocumentRow& row);
std::string encode_id(const IdKey& key, const IdRow& row);
std::string encode_counts(const StoredCounts& counts);
OutboxKey encode_outbox_key(std::uint64_t batch);
CopyKey encode_copy_key(CopySeqs seqs);

std::optional<Seq> decode_row_key(std::string_view key);
std::optional<DocumentRow> decode_document(Seq seq, std::string_view value);
std::optional<StoredId> decode_id(Seq seq, std::string_view value);
std::optional<CopySeqs> decode_copy_key(std::string_view key);
std::optional<StoredCounts> decode_counts(std::string_view value);

// A unique encoding of namespace and id.
std::string unique_bytes(const IdKey& key);

}  // namespace neardup
