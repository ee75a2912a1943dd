#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "pipeline/base/json_object.h"
#include "pipeline/base/utf8.h"
#include "service/log/log.h"

namespace neardup {
namespace {

// Characters that a terminal interprets or an editor takes as the end of a line.
bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029;
}

template <class Visit>
void each_code_point(std::string_view utf8, Visit visit) {
  const char* const end = utf8.data() + utf8.size();
  for (const char* at = utf8.data(); at < end;) {
    const char* const begin = at;
    const char32_t c = next_code_point(at);
    visit(c, std::string_view(begin, static_cast<std::size_t>(at - begin)));
  }
}

bool any_of(std::string_view utf8, bool (*test)(char32_t)) {
  bool found = false;
  each_code_point(utf8, [&](char32_t c, std::string_view) { found = found || test(c); });
  return found;
}

std::string shown(std::string_view text, const Secrets& secrets) {
  std::string valid;
  replace_invalid_utf8(secrets.hidden(text), valid);
  return valid;
}

// A JSON string that escapes the controls beyond ASCII too.
std::string quoted(std::string_view valid) {
  std::string escaped;
  each_code_point(json_text(valid), [&](char32_t c, std::string_view bytes) {
    escaped += is_control(c) ? fmt::format("\\u{:04X}", std::uint32_t{c}) : std::string(bytes);
  });
  return escaped;
}

bool needs_quotes(char32_t c) {
  return c == ' ' || c == '=' || c == '"' || c == '\\' || is_control(c);
}

std::string bare_or_quoted(const std::string& valid) {
  return valid.empty() || any_of(valid, needs_quotes) ? quoted(valid) : valid;
}

std::string written(double number) { return fmt::format("{:.6g}", number); }
std::string written(bool truth) { return truth ? "true" : "false"; }
template <std::integral Integer>
std::string written(Integer number) {
  return fmt::format("{}", number);
}

template <class Value>
constexpr bool kIsText = std::same_as<Value, std::string_view>;

std::string json_value(const LogField& field, const Secrets& secrets) {
  return std::visit(
      [&]<class Value>(Value value) {
        if constexpr (kIsText<Value>)
          return quoted(shown(value, secrets));
        else if constexpr (std::same_as<Value, double>)
          return std::isfinite(value) ? written(value) : quoted(written(value));
        else
          return written(value);
      },
      field.value);
}

std::string text_value(const LogField& field, const Secrets& secrets) {
  return std::visit(
      [&]<class Value>(Value value) {
        if constexpr (kIsText<Value>)
          return bare_or_quoted(shown(value, secrets));
        else
          return written(value);
      },
      field.value);
}

}  // namespace

void Secrets::add(std::string_view secret) {
  if (secret.size() >= 4) secrets_.emplace_back(secret);
}

std::string Secrets::hidden(std::string_view text) const {
  std::vector<bool> hide(text.size());
  for (const std::string& secret : secrets_) {
    for (auto at = text.find(secret); at != text.npos; at = text.find(secret, at + 1)) {
      std::fill_n(hide.begin() + static_cast<std::ptrdiff_t>(at), secret.size(), true);
    }
  }
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!hide[i]) out.push_back(text[i]);
    if (hide[i] && (i == 0 || !hide[i - 1])) out.append("***");
  }
  return out;
}

std::string json_rest(std::string_view event, std::span<const LogField> fields,
                      const Secrets& secrets) {
  JsonObject object;
  object.json("event", quoted(shown(event, secrets)));
  for (const LogField& field : fields) object.json(field.name, json_value(field, secrets));
  return object.str().substr(1);
}

std::string text_rest(std::string_view event, std::span<const LogField> fields,
                      const Secrets& secrets) {
  const std::string name = shown(event, secrets);
  std::string rest = any_of(name, is_control) ? quoted(name) : name;
  for (const LogField& field : fields) {
    rest.append(" ").append(field.name).append("=").append(text_value(field, secrets));
  }
  return rest;
}

}  // namespace neardup
