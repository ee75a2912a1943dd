// Which keys were given, and where; for checks that need several keys. Entries of maps are keys
// too.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

namespace neardup {

struct Origins {
  std::map<std::string, std::string, std::less<>> given;  // key → where its final value came from
  std::set<std::string, std::less<>> broken;  // keys with a value that could not be used
};

}  // namespace neardup
