// What loading a configuration finds: which keys were given and where, and what is wrong with them,
// all of it at once.
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

  // Would another one only be counted? Then its text need not be made.
  bool full() const;

  // "config.yaml:12: unknown key `treshold`, did you mean `threshold`?"; after a hundred of them
  // one line says how many more there are.
  std::vector<std::string> take();

 private:
  std::vector<std::string> lines_;
  std::size_t more_ = 0;
};

// What checks of several keys look at, and where they report.
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
