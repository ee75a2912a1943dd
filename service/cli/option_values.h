// Numbers given on the command line.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "pipeline/model/types.h"
#include "service/cli/command_line.h"

namespace neardup {

// The whole number given with `option`, or nothing. Throws Failure(kUsage) for any other value, and
// for a number below `least` or above `most`.
std::optional<std::uint64_t> whole_number(
    const CommandLine& line, std::string_view option, std::uint64_t least,
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

// The number from 0 to 1 given with `option`, or nothing. Throws Failure(kUsage) for any other
// value.
std::optional<Ppm> similarity(const CommandLine& line, std::string_view option);

// The place among `words` of the one given with `option`, or nothing. Throws Failure(kUsage) for
// any other word.
std::optional<std::size_t> one_of(const CommandLine& line, std::string_view option,
                                  std::span<const std::string_view> words);

// The number between 0 and 1, both excluded, given with `option` as it is or in percent ("80%"), or
// nothing. Throws Failure(kUsage) for any other value.
std::optional<double> fraction(const CommandLine& line, std::string_view option);

}  // namespace neardup
