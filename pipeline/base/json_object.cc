#include "pipeline/base/json_object.h"

#include <rapidjson/writer.h>

#include "pipeline/base/utf8.h"

namespace neardup {
namespace {

// RapidJSON's output stream into a string.
struct StringStream {
  using Ch = char;
  std::string& out;
  void Put(char c) { out.push_back(c); }
  void Flush() {}
};

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
  StringStream stream{out};
  rapidjson::Writer<StringStream> writer(stream);
  writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
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
