#include "service/kafka/message/commit_metadata.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

namespace neardup {
namespace {

constexpr std::string_view kForm = "neardup/1";
constexpr std::string_view kFormWithTopic = "neardup/2";
constexpr std::string_view kLogForm = "neardup-log/1";
constexpr std::string_view kLogFormWithIds = "neardup-log/2";

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::string encode_mark(const CommitMetadata& mark, std::string_view topic_id) {
  std::string text = fmt::format("{} {} {} {} {}", topic_id.empty() ? kForm : kFormWithTopic,
                                 mark.state, mark.batch, mark.chain, mark.next_seq);
  if (!topic_id.empty()) text.append(" ").append(topic_id);
  return text;
}

std::optional<CommitMetadata> decode_mark(std::string_view text) {
  const auto parts = words(text);
  const bool has_topic = parts.size() == 6;
  if (!has_topic && parts.size() != 5) return {};
  CommitMetadata mark{std::string(parts[1]), number(parts[2]), std::string(parts[3]),
                      number(parts[4])};
  if (encode_mark(mark, has_topic ? parts[5] : std::string_view()) != text) return {};
  return mark;
}

std::string topic_id_of_mark(std::string_view text) {
  const auto parts = words(text);
  return parts.size() == 6 && decode_mark(text) ? std::string(parts[5]) : std::string();
}

std::string encode_log_mark(const LogMark& mark) {
  if (mark.log_id.empty() || mark.topic_id.empty()) {
    return fmt::format("{} {}", kLogForm, mark.offset);
  }
  return fmt::format("{} {} {} {}", kLogFormWithIds, mark.offset, mark.log_id, mark.topic_id);
}

std::optional<LogMark> decode_log_mark(std::string_view text) {
  const auto parts = words(text);
  if (parts.size() != 2 && parts.size() != 4) return {};
  LogMark mark{.offset = static_cast<std::int64_t>(number(parts[1]))};
  if (parts.size() == 4) {
    mark.log_id = parts[2];
    mark.topic_id = parts[3];
  }
  if (mark.offset < 0 || encode_log_mark(mark) != text) return {};
  return mark;
}

}  // namespace neardup
