// Numbers as text, in the units that a person writes. Everything is exact: no value passes through
// floating point.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace neardup {

std::optional<std::uint64_t> parse_integer(std::string_view text);

// Bytes, with or without a unit: 4096, 64KiB, 2 GB.
std::optional<std::uint64_t> parse_bytes(std::string_view text);
std::string print_bytes(std::uint64_t bytes);

// Whole seconds, always with a unit, in milliseconds: 30s, 90m, 36h, 7d.
std::optional<std::uint64_t> parse_duration(std::string_view text);
std::string print_duration(std::uint64_t ms);

// Parts per million from a decimal with at most 6 decimals: 0.85.
std::optional<std::uint64_t> parse_ratio(std::string_view text);
std::string print_ratio(std::uint64_t ppm);

}  // namespace neardup
