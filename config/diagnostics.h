// The findings of loading a configuration: which keys were given and where, and all problems and
// warnings.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

// Which keys were given, and where; for checks that need several keys. Entries of maps are keys
// too.
struct Origins {
  std::map<std::string, std::string, std::less<>> given;  // key → where its final value came from
  std::set<std::string, std::less<>> broken;  // keys with a value that could not be used
};

// The problems of one configuration.
class Problems {
 public:
  // `where` is "config.yaml:12", a variable or an option.
  void add(std::string_view where, std::string_view message);

  // True when the next problem would only be counted: its text need not be composed.
  bool full() const;

  // "config.yaml:12: unknown key `treshold`, did you mean `threshold`?"; after 100 of them a
  // last line gives the number of the others.
  std::vector<std::string> take();

 private:
  std::vector<std::string> lines_;
  std::size_t more_ = 0;
};

// For the checks of several keys: which keys were given, and where to report problems.
class Findings {
 public:
  Findings(const Origins& origins, Problems& problems, std::vector<std::string>& warnings)
      : origins_(origins), problems_(problems), warnings_(warnings) {}

  bool given(std::string_view key) const { return origins_.given.contains(key); }

  // Were all of these keys read without a problem?
  bool sound(std::initializer_list<std::string_view> keys) const;

  // Reports at the first of `keys` that was given.
  void report(std::initializer_list<std::string_view> keys, std::string_view message);
  // Adds a warning at the same place, for a usable setting that is not advisable.
  void warn(std::initializer_list<std::string_view> keys, std::string_view message);

 private:
  std::string_view place(std::initializer_list<std::string_view> keys) const;

  const Origins& origins_;
  Problems& problems_;
  std::vector<std::string>& warnings_;
};

}  // namespace neardup
