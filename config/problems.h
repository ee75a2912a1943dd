// What is wrong with a configuration, all of it at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace neardup {

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

}  // namespace neardup
