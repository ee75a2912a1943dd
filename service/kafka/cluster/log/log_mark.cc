#include "service/kafka/cluster/log/log_mark.h"

#include <charconv>

namespace neardup {
namespace {

constexpr std::string_view kForm = "neardup-log/1 ";

}  // namespace

std::string encode_log_mark(std::int64_t offset) {
  return std::string(kForm).append(std::to_string(offset));
}

std::optional<std::int64_t> decode_log_mark(std::string_view text) {
  if (!text.starts_with(kForm)) return {};
  const std::string_view number = text.substr(kForm.size());
  std::int64_t offset = -1;
  std::from_chars(number.data(), number.data() + number.size(), offset);
  if (offset < 0 || encode_log_mark(offset) != text) return {};
  return offset;
}

}  // namespace neardup
