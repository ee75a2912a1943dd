// The first bytes of a small file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace neardup {

// At most `most` bytes from the start of the file; nothing, with errno set, when it cannot be read.
std::optional<std::string> read_start(const std::string& path, std::size_t most);

}  // namespace neardup
