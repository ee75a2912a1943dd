// The fields of a log line, and an encoding in which no value breaks the line.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace neardup {

// A name and a text, an integer, a number or a bool. Names are plain ASCII without spaces, quotes
// and `=`, none of ts, level, event. Texts are any bytes; they are not copied.
struct LogField {
  LogField(std::string_view name_, std::string_view text) : name(name_), value(text) {}
  LogField(std::string_view name_, const std::string& text)
      : LogField(name_, std::string_view(text)) {}
  LogField(std::string_view name_, const char* text) : LogField(name_, std::string_view(text)) {}
  LogField(std::string_view name_, double number) : name(name_), value(number) {}
  template <std::same_as<bool> Bool>  // so that pointers do not convert to bool
  LogField(std::string_view name_, Bool truth) : name(name_), value(truth) {}
  template <std::signed_integral Integer>
  LogField(std::string_view name_, Integer number) : name(name_), value(std::int64_t{number}) {}
  template <std::unsigned_integral Integer>
    requires(!std::same_as<Integer, bool>)
  LogField(std::string_view name_, Integer number) : name(name_), value(std::uint64_t{number}) {}

  std::string_view name;
  std::variant<std::string_view, std::int64_t, std::uint64_t, double, bool> value;
};

// Texts that must not appear in log lines.
class Secrets {
 public:
  // Ignores texts of less than 4 bytes: hiding them would reveal them.
  void add(std::string_view secret);
  // `text` with every run of bytes that belong to secrets replaced by ***.
  std::string hidden(std::string_view text) const;

 private:
  std::vector<std::string> secrets_;
};

// "event":"…" and the fields, as the rest of a JSON object; NaN and infinities are texts.
std::string json_rest(std::string_view event, std::span<const LogField> fields,
                      const Secrets& secrets);
// event name=value …; what holds spaces, quotes, `=` or controls is quoted as in JSON.
std::string text_rest(std::string_view event, std::span<const LogField> fields,
                      const Secrets& secrets);

}  // namespace neardup
