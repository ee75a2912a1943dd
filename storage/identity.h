// The meta keys that identify a directory as a neardup state, which the store itself writes, and
// how far the state reaches.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

inline constexpr std::string_view kFormatKey = "format";  // kFormatVersion in decimal
inline constexpr std::string_view kUuidKey = "uuid";      // made once, when the state is created

// The number of the next record in decimal; written by the pipeline, and never made smaller.
inline constexpr std::string_view kNextSeqKey = "next_seq";

std::string current_format();

// A random UUID (RFC 4122, version 4).
std::string new_uuid();

// Throws Failure(kConfig), naming both versions, unless `format` is that of this program or, with
// `migrates`, one of kMigratedFormats.
void check_format(std::string_view format, std::string_view path, bool migrates = false);

}  // namespace neardup
