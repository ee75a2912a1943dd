// Normalised texts as they are stored: size:varint, then one zstd frame (level 1).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace neardup {

// The largest text that is read back; a larger size is a damaged or hostile value.
inline constexpr std::uint64_t kMaxStoredTextBytes = std::uint64_t{1} << 30;

// Holds zstd's working memory; one per thread.
class TextCodec {
 public:
  TextCodec();
  ~TextCodec();
  TextCodec(const TextCodec&) = delete;
  TextCodec& operator=(const TextCodec&) = delete;

  // Requires: text.size() <= kMaxStoredTextBytes.
  std::string encode(std::string_view text);

  // Takes any bytes; nothing when they are malformed, or tell of more than `max_bytes`, or when the
  // frame does not hold exactly as much as its size says. Allocates no more than `max_bytes`.
  std::optional<std::string> decode(std::string_view stored,
                                    std::uint64_t max_bytes = kMaxStoredTextBytes);

 private:
  struct Contexts;
  std::unique_ptr<Contexts> contexts_;
};

}  // namespace neardup
