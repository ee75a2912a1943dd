// The stored formats (docs/formats/state.md): what the keys and values of rows look like. Those of
// the index stand in storage/generation/format.h.
//
//   row key        := seq:u40be              of documents, ids, texts, ended rows
//   document value := version:u8 = 2
//                     time_ms:u64le content.low:u64le content.high:u64le
//                     tokens:varint distinct_shingles:varint text_bytes:varint
//                     bytes(namespace) bytes(id) words(sketch)
//   id value       := version:u8 = 2  flags:u8                 bit 0: kept, bit 1: has a document
//                     time_ms:u64le content.low:u64le content.high:u64le
//                     original:u40le similarity:u32le bytes(namespace) bytes(id)
//   counts value   := documents:u64le ids:u64le
//   outbox key     := batch:u64be                              the value is the caller's, not empty
//   bytes(s)       := size:varint, then the bytes
//   words(w)       := count:varint, then each word as u64le
//   varint         := LEB128 in its shortest form
//
// Keys that hold a seq or a batch are big-endian, so that their order is the order of arrival. The
// id of a kept document has no row of its own: it follows from the document's.
//
// Decoding takes any bytes: it gives nothing unless they are exactly what encoding would write.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/core/types.h"
#include "storage/store.h"

namespace neardup {

inline constexpr std::size_t kSeqBytes = 5;

using RowKey = std::array<char, kSeqBytes>;
using OutboxKey = std::array<char, 8>;

// Rows that the store holds, kept in step with every commit.
struct StoredCounts {
  std::uint64_t documents = 0;
  std::uint64_t ids = 0;
  bool operator==(const StoredCounts&) const = default;
};

struct StoredId {
  IdKey key;
  IdRow row;
};

// Is the id row implied by the row of its document, and not stored?
inline bool is_implied(const IdRow& row) { return row.kept && row.has_document; }
StoredId implied_id(DocumentRow document);

// Requires of all: seqs are at most kMaxSeq.
RowKey encode_row_key(Seq seq);
std::string encode_document(const DocumentRow& row);
std::string encode_id(const IdKey& key, const IdRow& row);
std::string encode_counts(const StoredCounts& counts);
OutboxKey encode_outbox_key(std::uint64_t batch);

std::optional<Seq> decode_row_key(std::string_view key);
std::optional<DocumentRow> decode_document(Seq seq, std::string_view value);
std::optional<StoredId> decode_id(Seq seq, std::string_view value);
std::optional<StoredCounts> decode_counts(std::string_view value);

// Bytes that no two pairs of namespace and id share.
std::string unique_bytes(const IdKey& key);

}  // namespace neardup
