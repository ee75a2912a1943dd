#include "service/search/query_pieces.h"

#include <algorithm>

namespace neardup {

PieceLimits pieces_of(std::size_t hits, std::uint32_t k) {
  PieceLimits limits;
  limits.lines = std::clamp<std::size_t>(hits / k, 1, limits.lines);
  return limits;
}

std::string_view take_lines(std::string_view& rest, const PieceLimits& limits) {
  rest.remove_prefix(std::min(rest.find_first_not_of('\n'), rest.size()));
  std::size_t end = 0;
  for (std::size_t lines = 0; lines < limits.lines && end < limits.bytes && end < rest.size();
       ++lines) {
    end = std::min(rest.find('\n', end), rest.size() - 1) + 1;
  }
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(end);
  return taken;
}

}  // namespace neardup
