// The metadata of an offset that a sketcher commits: where in the log the records before it are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace neardup {

// "neardup-log/1 <offset of the last message>"
std::string encode_log_mark(std::int64_t offset);
// Nothing unless `text` is exactly what encoding writes.
std::optional<std::int64_t> decode_log_mark(std::string_view text);

}  // namespace neardup
