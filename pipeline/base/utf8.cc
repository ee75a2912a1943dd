#include "pipeline/base/utf8.h"

#include <simdjson.h>

#include <array>

namespace neardup {
namespace {

struct ByteRange {
  unsigned char low;
  unsigned char high;
};

// Which second bytes may follow `first`, and how many bytes follow in all (Unicode 15.0, table
// 3-7).
struct Lead {
  int followers;  // −1: no sequence starts with this byte
  ByteRange second;
};

constexpr Lead lead(unsigned char first) {
  if (first < 0x80) return {0, {}};
  if (first < 0xC2) return {-1, {}};
  if (first < 0xE0) return {1, {0x80, 0xBF}};
  if (first == 0xE0) return {2, {0xA0, 0xBF}};
  if (first == 0xED) return {2, {0x80, 0x9F}};
  if (first < 0xF0) return {2, {0x80, 0xBF}};
  if (first == 0xF0) return {3, {0x90, 0xBF}};
  if (first < 0xF4) return {3, {0x80, 0xBF}};
  if (first == 0xF4) return {3, {0x80, 0x8F}};
  return {-1, {}};
}

struct Part {
  std::size_t bytes;  // of a code point, or of a maximal ill-formed part
  bool well_formed;
};

Part part_at(std::string_view bytes, std::size_t at) {
  const Lead start = lead(static_cast<unsigned char>(bytes[at]));
  if (start.followers < 0) return {1, false};
  ByteRange allowed = start.second;
  std::size_t length = 1;
  for (int i = 0; i < start.followers; ++i, ++length) {
    if (at + length == bytes.size()) return {length, false};
    const auto byte = static_cast<unsigned char>(bytes[at + length]);
    if (byte < allowed.low || byte > allowed.high) return {length, false};
    allowed = {0x80, 0xBF};
  }
  return {length, true};
}

}  // namespace

bool valid_utf8(std::string_view bytes) {
  return simdjson::validate_utf8(bytes.data(), bytes.size());
}

std::uint64_t replace_invalid_utf8(std::string_view bytes, std::string& out) {
  out.clear();
  if (valid_utf8(bytes)) {
    out.append(bytes);
    return 0;
  }
  std::uint64_t replaced = 0;
  std::size_t good = 0;  // start of the well-formed bytes that are not yet copied
  for (std::size_t at = 0; at < bytes.size();) {
    const Part part = part_at(bytes, at);
    if (!part.well_formed) {
      out.append(bytes.substr(good, at - good)).append("\xEF\xBF\xBD");
      good = at + part.bytes;
      ++replaced;
    }
    at += part.bytes;
  }
  out.append(bytes.substr(good));
  return replaced;
}

std::uint64_t count_code_points(std::string_view utf8) {
  std::uint64_t count = 0;
  for (char byte : utf8) count += static_cast<signed char>(byte) > static_cast<signed char>(0xBF);
  return count;
}

}  // namespace neardup
