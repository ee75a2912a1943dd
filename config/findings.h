// What checks of several keys look at, and where they report.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "config/origins.h"
#include "config/problems.h"

namespace neardup {

class Findings {
 public:
  Findings(const Origins& origins, Problems& problems, std::vector<std::string>& warnings)
      : origins_(origins), problems_(problems), warnings_(warnings) {}

  bool given(std::string_view key) const { return origins_.given.contains(key); }

  // Were all of these keys read without a problem?
  bool sound(std::initializer_list<std::string_view> keys) const;

  // Reports at the first of `keys` that was given.
  void report(std::initializer_list<std::string_view> keys, std::string_view message);
  // The same for what can be used and should not be.
  void warn(std::initializer_list<std::string_view> keys, std::string_view message);

 private:
  std::string_view place(std::initializer_list<std::string_view> keys) const;

  const Origins& origins_;
  Problems& problems_;
  std::vector<std::string>& warnings_;
};

}  // namespace neardup
