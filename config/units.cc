#include "config/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "pipeline/model/types.h"

namespace neardup {
namespace {

struct Unit {
  std::string_view name;  // in lower case
  std::string_view written;
  std::uint64_t bytes;
};
// Of the units in which sizes are printed, the largest first.
constexpr std::array<Unit, 9> kUnits{{{"tib", "TiB", std::uint64_t{1} << 40},
                                      {"gib", "GiB", std::uint64_t{1} << 30},
                                      {"mib", "MiB", std::uint64_t{1} << 20},
                                      {"kib", "KiB", std::uint64_t{1} << 10},
                                      {"tb", "", 1'000'000'000'000},
                                      {"gb", "", 1'000'000'000},
                                      {"mb", "", 1'000'000},
                                      {"kb", "", 1'000},
                                      {"b", "", 1}}};

struct TimeUnit {
  char name;
  std::uint64_t ms;
};
constexpr std::array<TimeUnit, 4> kTimeUnits{
    {{'d', 86'400'000}, {'h', 3'600'000}, {'m', 60'000}, {'s', 1'000}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::optional<std::uint64_t> parse_integer(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  const auto digits_end = std::ranges::find_if_not(text, is_digit);
  const auto digits = static_cast<std::size_t>(digits_end - text.begin());
  std::string unit(text.substr(digits));
  unit.erase(0, unit.find_first_not_of(' '));
  for (char& c : unit) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto count = parse_integer(text.substr(0, digits));
  if (!count || unit.empty()) return count;
  const auto found = std::ranges::find(kUnits, unit, &Unit::name);
  if (found == kUnits.end()) return std::nullopt;
  if (*count > std::numeric_limits<std::uint64_t>::max() / found->bytes) return std::nullopt;
  return *count * found->bytes;
}

std::optional<std::uint64_t> parse_duration(std::string_view text) {
  const auto unit =
      std::ranges::find(kTimeUnits, text.empty() ? '\0' : text.back(), &TimeUnit::name);
  if (unit == kTimeUnits.end()) return std::nullopt;
  const auto count = parse_integer(text.substr(0, text.size() - 1));
  if (!count || *count > std::numeric_limits<std::uint64_t>::max() / unit->ms) return std::nullopt;
  return *count * unit->ms;
}

std::string print_duration(std::uint64_t ms) {
  const auto whole = [ms](const TimeUnit& unit) { return ms % unit.ms == 0; };
  const auto unit = std::ranges::find_if(kTimeUnits, whole);
  return fmt::format("{}{}", ms / unit->ms, unit->name);
}

std::optional<std::uint64_t> parse_ratio(std::string_view text) {
  const std::size_t dot = std::min(text.find('.'), text.size());
  const auto whole = parse_integer(text.substr(0, dot));
  if (!whole || *whole > kOne) return std::nullopt;
  if (dot == text.size()) return *whole * kOne;
  std::string decimals(text.substr(dot + 1));
  if (decimals.empty() || decimals.size() > 6) return std::nullopt;
  decimals.append(6 - decimals.size(), '0');
  const auto part = parse_integer(decimals);
  if (!part) return std::nullopt;
  return *whole * kOne + *part;
}

std::string print_ratio(std::uint64_t ppm) {
  std::string text = fmt::format("{}.{:06}", ppm / kOne, ppm % kOne);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string print_bytes(std::uint64_t bytes) {
  for (const Unit& unit : kUnits) {
    if (unit.written.empty() || bytes == 0 || bytes % unit.bytes != 0) continue;
    return fmt::format("{}{}", bytes / unit.bytes, unit.written);
  }
  return fmt::to_string(bytes);
}

}  // namespace neardup
