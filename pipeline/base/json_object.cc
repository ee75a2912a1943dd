#include "pipeline/base/json_object.h"

#include <rapidjson/writer.h>

#include <array>

#include "pipeline/base/utf8.h"

namespace neardup {
namespace {

constexpr std::size_t kSlice = 1024;    // bytes that are escaped at once
constexpr std::size_t kMostOfByte = 6;  // \u00XX

// RapidJSON's output stream into an array with room for an escaped slice and its quotes.
struct SliceStream {
  using Ch = char;
  char* end;
  void Put(char c) { *end++ = c; }
  void Flush() {}
};

// Without the quotes.
void append_slice(std::string_view slice, std::string& out) {
  std::array<char, kSlice * kMostOfByte + 2> quoted;
  SliceStream stream{quoted.data()};
  rapidjson::Writer<SliceStream> writer(stream);
  writer.String(slice.data(), static_cast<rapidjson::SizeType>(slice.size()));
  out.append(quoted.data() + 1, stream.end - 1);
}

}  // namespace

// Each byte is escaped by itself, so a slice may end within a code point.
void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  for (std::size_t at = 0; at < text.size(); at += kSlice)
    append_slice(text.substr(at, kSlice), out);
  out += '"';
}

std::string json_text(std::string_view value) {
  std::string valid;
  replace_invalid_utf8(value, valid);
  std::string quoted;
  append_json_string(valid, quoted);
  return quoted;
}

std::string json_texts(std::span<const std::string> values) {
  std::string array;
  for (const std::string& value : values) {
    array += array.empty() ? '[' : ',';
    array += json_text(value);
  }
  return array.empty() ? "[]" : array + ']';
}

JsonObject& JsonObject::text(std::string_view name, std::string_view value) {
  return json(name, json_text(value));
}

JsonObject& JsonObject::json(std::string_view name, std::string_view value) {
  body_ += fmt::format("{}\"{}\":{}", body_.size() > 1 ? "," : "", name, value);
  return *this;
}

}  // namespace neardup
