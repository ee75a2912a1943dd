// A file that is one text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pipeline/base/failure.h"

namespace neardup {

// Throws Failure(kUnreadable) when it cannot be read, with `hint` at the end of the message, or is
// larger than `max_bytes` (text.max_bytes).
std::string read_text_file(const std::string& path, std::uint64_t max_bytes,
                           std::string_view hint = {});

// Its exception for a larger text.
Failure text_too_large(const std::string& path, std::uint64_t max_bytes);

}  // namespace neardup
