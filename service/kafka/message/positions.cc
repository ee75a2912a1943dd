#include "service/kafka/message/positions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace neardup {
namespace {

template <class Number>
bool parse_whole(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// The part of `text` before `separator`, which both are cut off.
std::string_view cut(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return part;
}

}  // namespace

std::string to_text(const TopicPartition& partition) {
  return fmt::format("{}[{}]", partition.topic, partition.partition);
}

const Position* find(const Positions& positions, const TopicPartition& partition) {
  const auto at = std::ranges::find(positions, partition, &Position::partition);
  return at == positions.end() ? nullptr : &*at;
}

std::string encode_positions(const Positions& positions) {
  std::string text;
  for (const Position& position : positions) {
    fmt::format_to(std::back_inserter(text), "{} {} {}\n", position.partition.topic,
                   position.partition.partition, position.offset);
  }
  return text;
}

std::optional<Positions> decode_positions(std::string_view text) {
  Positions positions;
  const std::string_view whole = text;
  while (!text.empty()) {
    std::string_view line = cut(text, '\n');
    Position position;
    position.partition.topic = cut(line, ' ');
    if (!parse_whole(cut(line, ' '), position.partition.partition)) return {};
    if (!parse_whole(line, position.offset)) return {};
    positions.push_back(std::move(position));
  }
  if (encode_positions(positions) != whole) return {};
  return positions;
}

}  // namespace neardup
