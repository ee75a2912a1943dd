#include "config/problems.h"

#include <fmt/core.h>

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

}  // namespace neardup
