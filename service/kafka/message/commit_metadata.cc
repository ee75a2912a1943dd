#include "service/kafka/message/commit_metadata.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

namespace neardup {
namespace {

constexpr std::string_view kForm = "neardup/1";

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

std::string encode_mark(const CommitMetadata& mark) {
  return fmt::format("{} {} {} {} {}", kForm, mark.state, mark.batch, mark.chain, mark.next_seq);
}

std::optional<CommitMetadata> decode_mark(std::string_view text) {
  const auto parts = words(text);
  if (parts.size() != 5 || parts[0] != kForm) return {};
  CommitMetadata mark{std::string(parts[1]), number(parts[2]), std::string(parts[3]),
                      number(parts[4])};
  if (encode_mark(mark) != text) return {};
  return mark;
}

}  // namespace neardup
