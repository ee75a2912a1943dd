// Stored values that nobody vouches for: the first byte picks the format, the rest is the value.
// What is decoded must encode to the same bytes again; a text must come back from its own encoding.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "storage/format.h"
#include "storage/generation/format.h"
#include "storage/index/one_bit/namespace_tags.h"
#include "storage/rocksdb/text_codec.h"

namespace neardup {
namespace {

constexpr std::uint64_t kMaxTextBytes = 1 << 20;

void require(bool holds) {
  if (!holds) std::abort();
}

template <std::size_t size>
std::string_view view(const std::array<char, size>& bytes) {
  return {bytes.data(), size};
}

void try_row_key(std::string_view bytes) {
  const auto seq = decode_row_key(bytes);
  if (!seq) return;
  require(*seq <= kMaxSeq);
  require(view(encode_row_key(*seq)) == bytes);
}

void try_document(std::string_view bytes) {
  if (const auto row = decode_document(1, bytes)) require(encode_document(*row) == bytes);
}

void try_id(std::string_view bytes) {
  if (const auto id = decode_id(1, bytes)) require(encode_id(id->key, id->row) == bytes);
}

void try_counts(std::string_view bytes) {
  if (const auto counts = decode_counts(bytes)) require(encode_counts(*counts) == bytes);
}

void try_text(std::string_view bytes) {
  static TextCodec codec;
  const auto text = codec.decode(bytes, kMaxTextBytes);
  if (!text) return;
  require(text->size() <= kMaxTextBytes);
  require(codec.decode(codec.encode(*text), kMaxTextBytes) == text);
}

void try_manifest(std::string_view bytes) {
  if (const auto manifest = decode_manifest(1, bytes)) require(encode_manifest(*manifest) == bytes);
}

// Reads every number of it.
void try_page(std::string_view bytes) {
  const auto page = decode_page(bytes);
  if (!page) return;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < page->size(); ++i) sum += page->rest[i] + page->offset[i];
  require(sum <= page->size() * 2 * std::uint64_t{kLongList});
}

void try_page_key(std::string_view bytes) {
  const auto key = decode_page_key(bytes);
  if (!key) return;
  require(decode_generation(bytes).has_value());
  require(key->hash < Hash40{1} << kHashBits);
}

void try_tags(std::string_view bytes) {
  if (const auto tags = decode_tags(bytes)) require(encode_tags(*tags) == bytes);
}

}  // namespace
}  // namespace neardup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr void (*kFormats[])(std::string_view) = {
      neardup::try_row_key, neardup::try_document, neardup::try_id,
      neardup::try_counts,  neardup::try_text,     neardup::try_manifest,
      neardup::try_page,    neardup::try_page_key, neardup::try_tags};
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  kFormats[data[0] % std::size(kFormats)](bytes);
  return 0;
}
