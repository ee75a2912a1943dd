// The target of a request: its path and its query (RFC 3986, section 3).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace neardup {

using TargetValues = std::map<std::string, std::string, std::less<>>;

// Decodes %XX. Nothing: a % is not followed by two hexadecimal digits.
std::optional<std::string> percent_decoded(std::string_view text);

// Adds the values of `name=value&…`, in which + is a blank, too. False: it cannot be decoded, or a
// name occurs twice.
bool add_query(std::string_view query, TargetValues& values);

// Adds the segments of `path` at the places where `pattern` has {name}. Nothing: the path does not
// have this pattern, or cannot be decoded.
std::optional<TargetValues> match_path(std::string_view pattern, std::string_view path);

}  // namespace neardup
