// The text of a body that may be compressed, piece by piece.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "service/file/codec.h"

namespace neardup {

enum class BodyCoding : std::uint8_t { kNone, kGzip, kZstd };

// Of a header Content-Encoding; nothing if it is another one.
std::optional<BodyCoding> coding_of(std::string_view content_encoding);

class BodyDecoder {
 public:
  explicit BodyDecoder(BodyCoding coding);

  // Takes bytes from `piece`, which it shortens. `text` gets what they are, valid until the next
  // call. False: there is nothing more in the piece, or the body is damaged.
  bool next(std::string_view& piece, std::string_view& text);

  // Why the body is damaged; "" if it is not, so far.
  const std::string& damage() const { return damage_; }
  // Whether the body may end here.
  bool complete() const { return complete_; }

 private:
  std::unique_ptr<Codec> codec_;  // null: the body is not compressed
  std::string decoded_;
  std::string damage_;
  bool complete_;
};

}  // namespace neardup
