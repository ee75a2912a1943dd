#include "service/kafka/message/last_header.h"

#include <algorithm>
#include <ranges>

namespace neardup {

std::string_view last_header(std::span<const RawHeader> headers, std::string_view name) {
  const auto backwards = headers | std::views::reverse;
  const auto found = std::ranges::find(backwards, name, &RawHeader::name);
  return found == backwards.end() ? std::string_view() : found->value.value_or("");
}

}  // namespace neardup
