#include "config/diagnostics.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace neardup {
namespace {
constexpr std::size_t kMostLines = 100;
}

bool Problems::full() const { return lines_.size() == kMostLines; }

void Problems::add(std::string_view where, std::string_view message) {
  if (full()) {
    ++more_;
  } else {
    lines_.push_back(fmt::format("{}: {}", where, message));
  }
}

std::vector<std::string> Problems::take() {
  if (more_ > 0) lines_.push_back(fmt::format("{} more problems are not shown", more_));
  more_ = 0;
  return std::exchange(lines_, {});
}

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
