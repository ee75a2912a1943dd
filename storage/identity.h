// What makes a directory a state of ours: the meta keys that the store itself writes.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

inline constexpr std::string_view kFormatKey = "format";  // kFormatVersion in decimal
inline constexpr std::string_view kUuidKey = "uuid";      // made once, when the state is created

std::string current_format();

// A random UUID (RFC 4122, version 4).
std::string new_uuid();

// Throws Failure(kConfig), naming both versions, unless `format` is the one of this program or,
// with `migrates`, the one that is taken over.
void check_format(std::string_view format, std::string_view path, bool migrates = false);

}  // namespace neardup
