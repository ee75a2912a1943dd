// One line of an input, by the position that a flag names.
#pragma once

#include <cstdint>
#include <string>

namespace neardup {

struct LineOfInput {
  std::string path;
  std::uint64_t line = 0;  // from 1, blank lines counted
};

// Its bytes, followed by kTextPadding zeros that may be read. Reads the input from its start, which
// may be compressed. Throws Failure(kUnreadable) when there is no such line, or it is blank or
// longer than `max_bytes`.
std::string read_line_at(const LineOfInput& place, std::uint64_t max_bytes);

}  // namespace neardup
