// What checks of several keys look at, and where they report.
#pragma once

#include <initializer_list>
#include <string_view>

#include "config/origins.h"
#include "config/problems.h"

namespace neardup {

class Findings {
 public:
  Findings(const Origins& origins, Problems& problems) : origins_(origins), problems_(problems) {}

  bool given(std::string_view key) const { return origins_.given.contains(key); }

  // Were all of these keys read without a problem?
  bool sound(std::initializer_list<std::string_view> keys) const;

  // Reports at the first of `keys` that was given.
  void report(std::initializer_list<std::string_view> keys, std::string_view message);

 private:
  const Origins& origins_;
  Problems& problems_;
};

}  // namespace neardup
