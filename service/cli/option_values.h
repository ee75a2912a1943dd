// Numbers given on the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "service/cli/command_line.h"

namespace neardup {

// The whole number given with `option`, or nothing. Throws Failure(kUsage) for any other value, and
// for a number below `least`.
std::optional<std::uint64_t> whole_number(const CommandLine& line, std::string_view option,
                                          std::uint64_t least);

// The number between 0 and 1, both excluded, given with `option`, or nothing. Throws
// Failure(kUsage) for any other value.
std::optional<double> fraction(const CommandLine& line, std::string_view option);

}  // namespace neardup
