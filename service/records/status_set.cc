#include "service/records/status_set.h"

#include <fmt/format.h>

#include <algorithm>

namespace neardup {

std::optional<StatusSet> status_set(std::string_view text) {
  StatusSet set;
  if (text.empty()) return set.set();
  while (!text.empty()) {
    const std::string_view name = text.substr(0, text.find(','));
    const auto found = std::ranges::find(kStatusNames, name);
    if (found == kStatusNames.end()) return {};
    set.set(static_cast<std::size_t>(found - kStatusNames.begin()));
    text.remove_prefix(std::min(name.size() + 1, text.size()));
  }
  return set;
}

std::string status_set_help() {
  return fmt::format("give statuses with commas, of {}", fmt::join(kStatusNames, ", "));
}

}  // namespace neardup
