// The text of a record by its source, as its flag names it.
#pragma once

#include <string>
#include <string_view>

#include "config/config.h"

namespace neardup {

// "FILE:LINE" of an input, or "kafka:TOPIC/PARTITION/OFFSET". The text is not normalised. Throws
// Failure(kUsage) when `source` is neither, and as read_line_at and fetch_text.
std::string text_of_source(std::string_view source, const Config& config);

}  // namespace neardup
