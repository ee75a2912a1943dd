// The stored format of generations (docs/formats/state.md).
//
//   part           := generation:u32be column:u16be kind:u8
//   page key       := part (kind 0) prefix:u32be
//   page           := count:u32le rest:u32le[count] offset:u32le[count]
//                     sorted by rest, then offset
//   long list key  := page key, hash:u40be first:u32be       right behind its page
//   long list      := offset:u32le[]                         `first` and those after it
//   filter key     := part (kind 1) number:u32be
//   filter part    := lines of the filter, kFilterPartBytes at most
//   manifest key   := generation:u32be 0xffff:u16be
//   manifest       := version:u8 = 1  epoch:varint purpose:u64le
//                     level:varint first:varint end:varint ids:varint
//                     prefix_bits:varint columns:varint
//                     for each column: postings:varint filter_lines:varint
//   1-bit key      := seq:u40be                              in the family `bits`
//   1-bit run      := words:u8, then the sketches of `seq` and those after it
//
// A posting's hash has 40 bits: the upper prefix_bits choose the page, the others are its `rest`.
// An offset is relative to the first seq of the generation. The offset kLongList means that the
// offsets of the hash are in long lists.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/generation/columns.h"

namespace neardup {

inline constexpr std::uint32_t kLongList = ~std::uint32_t{0};
// From this many postings on, those of one hash are stored in long lists of at most kListChunk
// each.
inline constexpr std::size_t kManyPostings = 128;
inline constexpr std::size_t kListChunk = 1024;
inline constexpr std::size_t kFilterPartBytes = std::size_t{1} << 20;
inline constexpr Seq kRunSeqs = 4096;  // a 1-bit run ends at a multiple of this
inline constexpr unsigned kLeastPrefixBits = 8;

struct ColumnSize {
  std::uint64_t postings = 0;
  std::uint64_t filter_lines = 0;
  bool operator==(const ColumnSize&) const = default;
};

// The metadata of a generation.
struct Manifest {
  std::uint32_t generation = 0;
  std::uint32_t epoch = 0;    // the index in use has one; a later one is being built
  std::uint64_t purpose = 0;  // of an epoch: a hash of the rebuild's parameters
  std::uint32_t level = 0;    // 0: a flush; a merge: one more than its sources
  Seq first = 0;              // its seqs: [first, end)
  Seq end = 0;
  std::uint64_t ids = 0;
  unsigned prefix_bits = kLeastPrefixBits;
  std::vector<ColumnSize> columns;
  bool operator==(const Manifest&) const = default;
};

std::string encode_page_key(std::uint32_t generation, std::size_t column, std::uint32_t prefix);
std::string encode_list_key(std::string_view page_key, Hash40 hash, std::uint32_t first);
std::string encode_filter_key(std::uint32_t generation, std::size_t column, std::uint32_t part);
std::string encode_manifest_key(std::uint32_t generation);
std::string encode_manifest(const Manifest& manifest);

std::optional<std::uint32_t> decode_generation(std::string_view key);
std::optional<Manifest> decode_manifest(std::uint32_t generation, std::string_view value);

// A key of a column's pages or long lists.
struct PageKey {
  std::uint32_t prefix = 0;
  bool is_list = false;
  Hash40 hash = 0;  // of a list
};
std::optional<PageKey> decode_page_key(std::string_view key);

// A view of consecutive little-endian numbers.
class Offsets {
 public:
  explicit Offsets(std::string_view bytes) : bytes_(bytes) {}
  std::size_t size() const { return bytes_.size() / sizeof(std::uint32_t); }
  std::uint32_t operator[](std::size_t i) const {
    std::uint32_t value;
    __builtin_memcpy(&value, bytes_.data() + i * sizeof value, sizeof value);
    return value;
  }

 private:
  std::string_view bytes_;
};

// A view of a page.
struct Page {
  Offsets rest{{}};
  Offsets offset{{}};
  std::size_t size() const { return rest.size(); }
};
std::optional<Page> decode_page(std::string_view value);
std::optional<Offsets> decode_list(std::string_view value);

// The bits of a hash behind its prefix. Requires: prefix_bits >= kLeastPrefixBits.
inline std::uint32_t rest_of(Hash40 hash, unsigned prefix_bits) {
  return static_cast<std::uint32_t>(hash & ((Hash40{1} << (kHashBits - prefix_bits)) - 1));
}
inline std::uint32_t prefix_of(Hash40 hash, unsigned prefix_bits) {
  return static_cast<std::uint32_t>(hash >> (kHashBits - prefix_bits));
}
inline Hash40 hash_from(std::uint32_t prefix, std::uint32_t rest, unsigned prefix_bits) {
  return Hash40{prefix} << (kHashBits - prefix_bits) | rest;
}

}  // namespace neardup
