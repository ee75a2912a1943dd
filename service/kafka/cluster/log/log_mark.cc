#include "service/kafka/cluster/log/log_mark.h"

#include <charconv>

namespace neardup {
namespace {

constexpr std::string_view kForm = "neardup-log/1 ";
constexpr std::string_view kFormWithIds = "neardup-log/2 ";

// Up to the next space, which both are cut off.
std::string_view cut_word(std::string_view& text) {
  const std::size_t space = text.find(' ');
  const std::string_view word = text.substr(0, space);
  text.remove_prefix(space == text.npos ? text.size() : space + 1);
  return word;
}

}  // namespace

std::string encode_log_mark(const LogMark& mark) {
  const std::string number = std::to_string(mark.offset);
  if (mark.log_id.empty() || mark.topic_id.empty()) return std::string(kForm).append(number);
  return std::string(kFormWithIds)
      .append(number)
      .append(" ")
      .append(mark.log_id)
      .append(" ")
      .append(mark.topic_id);
}

std::optional<LogMark> decode_log_mark(std::string_view text) {
  if (!text.starts_with(kForm) && !text.starts_with(kFormWithIds)) return {};
  std::string_view rest = text.substr(kForm.size());
  const std::string_view number = cut_word(rest);
  LogMark mark{.offset = -1};
  std::from_chars(number.data(), number.data() + number.size(), mark.offset);
  mark.log_id = cut_word(rest);
  mark.topic_id = cut_word(rest);
  if (mark.offset < 0 || encode_log_mark(mark) != text) return {};
  return mark;
}

}  // namespace neardup
