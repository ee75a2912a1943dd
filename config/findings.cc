#include "config/findings.h"

#include <algorithm>

namespace neardup {

bool Findings::sound(std::initializer_list<std::string_view> keys) const {
  return std::ranges::none_of(keys, [&](auto key) { return origins_.broken.contains(key); });
}

std::string_view Findings::place(std::initializer_list<std::string_view> keys) const {
  const auto key = std::ranges::find_if(keys, [&](auto k) { return given(k); });
  return key == keys.end() ? "configuration" : std::string_view(origins_.given.find(*key)->second);
}

void Findings::report(std::initializer_list<std::string_view> keys, std::string_view message) {
  problems_.add(place(keys), message);
}

void Findings::warn(std::initializer_list<std::string_view> keys, std::string_view message) {
  warnings_.push_back(std::string(place(keys)).append(": ").append(message));
}

}  // namespace neardup
