// One JSON object on one line, its fields in the order in which they are added.
#pragma once

#include <fmt/core.h>

#include <concepts>
#include <span>
#include <string>
#include <string_view>

namespace neardup {

// Appends `text` as a JSON string with its quotes. Requires: valid UTF-8.
void append_json_string(std::string_view text, std::string& out);

// A text of any bytes as a JSON string with its quotes; ill-formed UTF-8 becomes U+FFFD.
std::string json_text(std::string_view value);

// An array of such strings.
std::string json_texts(std::span<const std::string> values);

// An array of what `write` makes of each item: JSON.
template <class Items, class Write>
std::string json_list(const Items& items, const Write& write) {
  std::string list = "[";
  for (const auto& item : items) {
    if (list.size() > 1) list += ',';
    list += write(item);
  }
  return list + "]";
}

class JsonObject {
 public:
  // Requires: names are plain ASCII without quotes; numbers are finite; texts are any bytes
  // (ill-formed UTF-8 becomes U+FFFD).
  JsonObject& text(std::string_view name, std::string_view value);
  template <class Number>
    requires std::integral<Number>
  JsonObject& number(std::string_view name, Number value) {
    return json(name, fmt::format("{}", value));
  }
  // Six significant digits.
  JsonObject& number(std::string_view name, double value) {
    return json(name, fmt::format("{:.6g}", value));
  }
  JsonObject& decimals(std::string_view name, double value, int places) {
    return json(name, fmt::format("{:.{}f}", value, places));
  }
  JsonObject& boolean(std::string_view name, bool value) {
    return json(name, value ? "true" : "false");
  }
  // `value` is JSON already.
  JsonObject& json(std::string_view name, std::string_view value);

  std::string str() const { return body_ + '}'; }

 private:
  std::string body_ = "{";
};

}  // namespace neardup
