// Stored values that nobody vouches for: the first byte picks the format, the rest is the value.
// What is decoded must encode to the same bytes again; a text must come back from its own encoding.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "storage/format.h"
#include "storage/text_codec.h"

namespace neardup {
namespace {

constexpr std::size_t kPostingKeyBytes = 15;
constexpr std::uint64_t kMaxTextBytes = 1 << 20;

void require(bool holds) {
  if (!holds) std::abort();
}

template <std::size_t size>
std::string_view view(const std::array<char, size>& bytes) {
  return {bytes.data(), size};
}

void try_posting(std::string_view bytes) {
  const std::string_view key = bytes.substr(0, kPostingKeyBytes);
  const std::string_view value = bytes.substr(key.size());
  const auto posting = decode_posting(key, value);
  if (!posting) return;
  require(posting->seq <= kMaxSeq);
  require(view(encode_posting_key(posting->bucket, posting->seq)) == key);
  require(view(encode_posting_value(posting->mini)) == value);
}

void try_document(std::string_view bytes) {
  if (const auto row = decode_document(1, bytes)) require(encode_document(*row) == bytes);
}

void try_id(std::string_view bytes) {
  if (const auto row = decode_id(bytes)) require(encode_id(*row) == bytes);
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

}  // namespace
}  // namespace neardup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr void (*kFormats[])(std::string_view) = {neardup::try_posting, neardup::try_document,
                                                    neardup::try_id, neardup::try_counts,
                                                    neardup::try_text};
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  kFormats[data[0] % std::size(kFormats)](bytes);
  return 0;
}
