#include "service/cli/option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "pipeline/base/failure.h"

namespace neardup {
namespace {

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

[[noreturn]] void refuse(std::string_view option, std::string_view given, std::string_view wanted) {
  throw Failure(Exit::kUsage,
                fmt::format("{}: {} is not {}", option, given.empty() ? "nothing" : given, wanted));
}

}  // namespace

std::optional<std::uint64_t> whole_number(const CommandLine& line, std::string_view option,
                                          std::uint64_t least, std::uint64_t most) {
  const auto given = line.one(option);
  if (!given) return std::nullopt;
  const auto number = parse<std::uint64_t>(*given);
  if (!number || *number < least || *number > most) {
    const bool bounded = most != std::numeric_limits<std::uint64_t>::max();
    refuse(option, *given,
           bounded ? fmt::format("a whole number from {} to {}", least, most)
                   : fmt::format("a whole number of at least {}", least));
  }
  return number;
}

std::optional<double> fraction(const CommandLine& line, std::string_view option) {
  const auto given = line.one(option);
  if (!given) return std::nullopt;
  const bool percent = given->ends_with('%');
  auto number = parse<double>(std::string_view(*given).substr(0, given->size() - percent));
  if (number && percent) *number /= 100;
  if (!number || !(*number > 0 && *number < 1))
    refuse(option, *given, "a number between 0 and 1, such as 0.8, or a share such as 80%");
  return number;
}

std::optional<std::size_t> one_of(const CommandLine& line, std::string_view option,
                                  std::span<const std::string_view> words) {
  const auto given = line.one(option);
  if (!given) return std::nullopt;
  const auto at = std::ranges::find(words, *given);
  if (at == words.end()) refuse(option, *given, fmt::format("one of {}", fmt::join(words, ", ")));
  return static_cast<std::size_t>(at - words.begin());
}

std::optional<Ppm> similarity(const CommandLine& line, std::string_view option) {
  const auto given = line.one(option);
  if (!given) return std::nullopt;
  const auto number = parse<double>(*given);
  if (!number || !(*number >= 0 && *number <= 1)) {
    refuse(option, *given, "a number from 0 to 1, such as 0.3");
  }
  return static_cast<Ppm>(std::lround(*number * kOne));
}

}  // namespace neardup
