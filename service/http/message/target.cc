#include "service/http/message/target.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "service/http/message/ascii_case.h"

namespace neardup {
namespace {

// Up to `end`, which is taken away with it.
std::string_view take_until(std::string_view& text, char end) {
  const std::size_t at = text.find(end);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == text.npos ? text.size() : at + 1);
  return part;
}

std::optional<std::string> form_decoded(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  return percent_decoded(spaced);
}

}  // namespace

std::optional<Target> split_target(std::string_view target) {
  constexpr std::string_view kMark = "://";
  Target parts;
  const std::size_t mark = target.starts_with('/') ? target.npos : target.find(kMark);
  if (mark != target.npos) {
    const std::string_view scheme = target.substr(0, mark);
    if (!equal_ignoring_case(scheme, "http") && !equal_ignoring_case(scheme, "https")) return {};
    target.remove_prefix(mark + kMark.size());
    parts.authority = target.substr(0, target.find_first_of("/?#"));
    if (parts.authority.empty()) return {};
    target.remove_prefix(parts.authority.size());
  }
  parts.path = take_until(target, '?');
  if (parts.path.empty() && !parts.authority.empty()) parts.path = "/";
  parts.query = target;
  return parts;
}

bool is_authority(std::string_view text) {
  static constexpr std::string_view kSigns = "-._~!$&'()*+;=%:[]";
  return std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z') ||
           kSigns.find(c) != kSigns.npos;
  });
}

std::optional<std::string> percent_decoded(std::string_view text) {
  constexpr int kHexadecimal = 16;
  std::string decoded;
  while (!text.empty()) {
    if (text.front() != '%') {
      decoded.push_back(text.front());
      text.remove_prefix(1);
      continue;
    }
    unsigned char byte = 0;
    const std::string_view digits = text.substr(1, 2);
    const auto end = digits.data() + digits.size();
    if (digits.size() < 2 || std::from_chars(digits.data(), end, byte, kHexadecimal).ptr != end)
      return {};
    decoded.push_back(static_cast<char>(byte));
    text.remove_prefix(3);
  }
  return decoded;
}

bool add_query(std::string_view query, TargetValues& values) {
  while (!query.empty()) {
    std::string_view value = take_until(query, '&');
    if (value.empty()) continue;
    const auto name = form_decoded(take_until(value, '='));
    auto decoded = form_decoded(value);
    if (!name || !decoded || !values.emplace(*name, std::move(*decoded)).second) return false;
  }
  return true;
}

std::optional<TargetValues> match_path(std::string_view pattern, std::string_view path) {
  if (pattern.ends_with('/') != path.ends_with('/')) return {};
  TargetValues values;
  while (!pattern.empty() && !path.empty()) {
    const std::string_view expected = take_until(pattern, '/');
    const std::string_view segment = take_until(path, '/');
    if (!expected.starts_with('{')) {
      if (segment != expected) return {};
      continue;
    }
    auto value = percent_decoded(segment);
    if (!value || value->empty()) return {};
    values.emplace(expected.substr(1, expected.size() - 2), std::move(*value));
  }
  if (!pattern.empty() || !path.empty()) return {};
  return values;
}

}  // namespace neardup
