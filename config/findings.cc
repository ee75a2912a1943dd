#include "config/findings.h"

#include <algorithm>

namespace neardup {

bool Findings::sound(std::initializer_list<std::string_view> keys) const {
  return std::ranges::none_of(keys, [&](auto key) { return origins_.broken.contains(key); });
}

void Findings::report(std::initializer_list<std::string_view> keys, std::string_view message) {
  const auto key = std::ranges::find_if(keys, [&](auto k) { return given(k); });
  problems_.add(key == keys.end() ? "configuration" : origins_.given.find(*key)->second, message);
}

}  // namespace neardup
