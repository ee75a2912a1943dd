// The target of a request: its path and its query (RFC 3986, section 3).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace neardup {

using TargetValues = std::map<std::string, std::string, std::less<>>;

// The target of a request in its parts, which refer to it.
struct Target {
  std::string_view authority = {};  // of a URL: HOST or HOST:PORT; else ""
  std::string_view path = {};
  std::string_view query = {};  // what follows the "?"; "" if nothing does
};

// Of a path, or of a URL of http or https (RFC 9112, section 3.2); `*` and an authority alone,
// which other methods have, count as paths. Nothing: a URL of another scheme, or without a host.
std::optional<Target> split_target(std::string_view target);

// Whether it can be HOST or HOST:PORT; "" can.
bool is_authority(std::string_view text);

// Decodes %XX. Nothing: a % is not followed by two hexadecimal digits.
std::optional<std::string> percent_decoded(std::string_view text);

// Adds the values of `name=value&…`, in which + is a blank, too. False: it cannot be decoded, or a
// name occurs twice.
bool add_query(std::string_view query, TargetValues& values);

// Adds the segments of `path` at the places where `pattern` has {name}. Nothing: the path does not
// have this pattern, or cannot be decoded.
std::optional<TargetValues> match_path(std::string_view pattern, std::string_view path);

}  // namespace neardup
