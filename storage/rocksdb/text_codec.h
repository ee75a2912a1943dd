// The stored form of texts: size:varint, then one zstd frame (level 1).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace neardup {

// The largest size that is decoded; a larger one means a damaged or hostile value.
inline constexpr std::uint64_t kMaxStoredTextBytes = std::uint64_t{1} << 30;

// Holds zstd's working memory. One thread may encode while another decodes.
class TextCodec {
 public:
  TextCodec();
  ~TextCodec();
  TextCodec(const TextCodec&) = delete;
  TextCodec& operator=(const TextCodec&) = delete;

  // Requires: text.size() <= kMaxStoredTextBytes.
  std::string encode(std::string_view text);

  // Accepts any bytes; nothing when they are malformed, their size exceeds `max_bytes`, or the
  // frame does not have exactly that size. Allocates at most `max_bytes`.
  std::optional<std::string> decode(std::string_view stored,
                                    std::uint64_t max_bytes = kMaxStoredTextBytes);

 private:
  struct Contexts;
  std::unique_ptr<Contexts> contexts_;
};

}  // namespace neardup
