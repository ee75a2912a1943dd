#include "service/records/timestamp.h"

#include <charconv>
#include <chrono>
#include <cmath>

namespace neardup {
namespace {

constexpr std::int64_t kFirstMs = -62'167'219'200'000;  // 0000-01-01T00:00:00Z
constexpr std::int64_t kLastMs = 253'402'300'799'999;   // 9999-12-31T23:59:59.999Z

std::optional<std::int64_t> in_range(std::int64_t ms) {
  if (ms < kFirstMs || ms > kLastMs) return std::nullopt;
  return ms;
}

// Reads a text from left to right; after the first mismatch `good` stays false.
struct Reader {
  std::string_view rest;
  bool good = true;

  // A number of exactly `width` digits, from `low` to `high`.
  int number(std::size_t width, int low, int high) {
    int value = 0;
    for (std::size_t i = 0; i < width; ++i) value = value * 10 + digit();
    good = good && value >= low && value <= high;
    return value;
  }
  int digit() {
    good = next_is_digit();
    if (!good) return 0;
    const int value = rest[0] - '0';
    rest.remove_prefix(1);
    return value;
  }
  bool next_is_digit() const { return good && !rest.empty() && rest[0] >= '0' && rest[0] <= '9'; }
  // The next character, which must be one of `wanted`.
  char one_of(std::string_view wanted) {
    good = good && !rest.empty() && wanted.find(rest[0]) != wanted.npos;
    if (!good) return 0;
    const char found = rest[0];
    rest.remove_prefix(1);
    return found;
  }
};

std::int64_t read_date_ms(Reader& in) {
  const int year = in.number(4, 0, 9999);
  in.one_of("-");
  const int month = in.number(2, 1, 12);
  in.one_of("-");
  const int day = in.number(2, 1, 31);
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  in.good = in.good && date.ok();
  return in.good ? std::int64_t{std::chrono::sys_days{date}.time_since_epoch().count()} * 86'400'000
                 : 0;
}

std::int64_t read_fraction_ms(Reader& in) {
  if (in.rest.empty() || in.rest[0] != '.') return 0;
  in.rest.remove_prefix(1);
  std::int64_t ms = in.digit() * 100;
  for (int unit = 10; in.next_is_digit(); unit /= 10) ms += in.digit() * unit;
  return ms;
}

std::int64_t read_time_ms(Reader& in) {
  const int hour = in.number(2, 0, 23);
  in.one_of(":");
  const int minute = in.number(2, 0, 59);
  in.one_of(":");
  const int second = in.number(2, 0, 60);
  return ((hour * 60 + minute) * 60 + second) * std::int64_t{1000} + read_fraction_ms(in);
}

std::int64_t read_offset_ms(Reader& in) {
  const char sign = in.one_of("Zz+-");
  if (sign != '+' && sign != '-') return 0;
  const int hours = in.number(2, 0, 23);
  in.one_of(":");
  const std::int64_t ms = (hours * 60 + in.number(2, 0, 59)) * std::int64_t{60'000};
  return sign == '-' ? -ms : ms;
}

}  // namespace

std::optional<std::int64_t> number_timestamp(std::string_view number) {
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc{} || end != number.data() + number.size()) return std::nullopt;
  const double ms = value >= 1e11 ? value : value * 1000;
  if (!(ms > -1e15 && ms < 1e15)) return std::nullopt;
  return in_range(std::llround(ms));
}

std::optional<std::int64_t> rfc3339_timestamp(std::string_view text) {
  Reader in{text};
  const std::int64_t date = read_date_ms(in);
  in.one_of("Tt ");
  const std::int64_t time = read_time_ms(in);
  const std::int64_t offset = read_offset_ms(in);
  if (!in.good || !in.rest.empty()) return std::nullopt;
  return in_range(date + time - offset);
}

}  // namespace neardup
