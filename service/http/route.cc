#include "service/http/route.h"

#include <charconv>

namespace neardup {

std::string HttpRequest::text(std::string_view parameter, std::string_view otherwise) const {
  const auto found = values.find(parameter);
  return found == values.end() ? std::string(otherwise) : found->second;
}

std::uint64_t HttpRequest::number(std::string_view parameter, std::uint64_t otherwise) const {
  const auto found = values.find(parameter);
  if (found == values.end()) return otherwise;
  std::uint64_t number = 0;
  std::from_chars(found->second.data(), found->second.data() + found->second.size(), number);
  return number;
}

}  // namespace neardup
