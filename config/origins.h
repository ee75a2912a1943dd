// Which keys were given, and where; for checks that need several keys.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace neardup {

struct Origins {
  std::map<std::string_view, std::string> given;  // key → where its final value came from
  std::set<std::string_view> broken;              // keys with a value that could not be used
};

}  // namespace neardup
