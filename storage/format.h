// The stored formats (docs/formats/state.md): what every key and value of the state looks like.
//
//   posting key    := band:u16be bucket:u64be seq:u40be        the first 10 bytes are the bucket
//   posting value  := mini:u16le
//   document key   := seq:u40be
//   document value := version:u8 = 1
//                     time_ms:u64le content.low:u64le content.high:u64le
//                     tokens:varint distinct_shingles:varint text_bytes:varint
//                     bytes(namespace) bytes(id) words(sketch) words(one_bit)
//   id key         := bytes(namespace) id                      injective for any bytes
//   id value       := version:u8 = 1  flags:u8                 bit 0: kept, bit 1: has a document
//                     seq:u40le time_ms:u64le content.low:u64le content.high:u64le
//                     original:u40le similarity:u32le
//   counts value   := documents:u64le ids:u64le
//   outbox key     := batch:u64be                              the value is the caller's, not empty
//   bytes(s)       := size:varint, then the bytes
//   words(w)       := count:varint, then each word as u64le
//   varint         := LEB128 in its shortest form
//
// Keys that hold a seq or a batch are big-endian, so that their order is the order of arrival.
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

inline constexpr std::size_t kBucketBytes = 10;
inline constexpr std::size_t kSeqBytes = 5;

using PostingKey = std::array<char, kBucketBytes + kSeqBytes>;
using PostingValue = std::array<char, 2>;
using DocumentKey = std::array<char, kSeqBytes>;
using OutboxKey = std::array<char, 8>;

// Rows that the store holds, kept in step with every commit.
struct StoredCounts {
  std::uint64_t documents = 0;
  std::uint64_t ids = 0;
  bool operator==(const StoredCounts&) const = default;
};

// Requires of all: seqs are at most kMaxSeq.
PostingKey encode_posting_key(const Bucket& bucket, Seq seq);
PostingValue encode_posting_value(std::uint16_t mini);
DocumentKey encode_document_key(Seq seq);
std::string encode_document(const DocumentRow& row);
std::string encode_id_key(const IdKey& key);
std::string encode_id(const IdRow& row);
std::string encode_counts(const StoredCounts& counts);
OutboxKey encode_outbox_key(std::uint64_t batch);

std::optional<Seq> decode_document_key(std::string_view key);
std::optional<Posting> decode_posting(std::string_view key, std::string_view value);
std::optional<DocumentRow> decode_document(Seq seq, std::string_view value);
std::optional<IdRow> decode_id(std::string_view value);
std::optional<StoredCounts> decode_counts(std::string_view value);

}  // namespace neardup
