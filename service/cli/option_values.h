// Numbers given on the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "service/cli/command_line.h"

namespace neardup {

// The whole number given with `option`, or nothing. Failure(kUsage) when it is none, or below
// `least`.
std::optional<std::uint64_t> whole_number(const CommandLine& line, std::string_view option,
                                          std::uint64_t least);

// The number between 0 and 1, both excluded, given with `option`, or nothing. Failure(kUsage)
// otherwise.
std::optional<double> fraction(const CommandLine& line, std::string_view option);

}  // namespace neardup
