#include "service/kafka/cluster/sketcher/source_note.h"

#include <algorithm>
#include <vector>

namespace neardup {
namespace {

constexpr std::string_view kForm = "neardup-sources/1";

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    found.emplace_back(word);
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return found;
}

}  // namespace

std::string encode_source_note(const SourceNote& note) {
  std::string text = std::string(kForm).append(" ").append(note.cluster);
  for (const auto& [topic, id] : note.ids) {
    if (text.size() + topic.size() + id.size() + 2 > kMostNoteBytes) break;
    text.append(" ").append(topic).append(" ").append(id);
  }
  return text;
}

std::optional<SourceNote> decode_source_note(std::string_view text) {
  const std::vector<std::string> all = words(text);
  if (all.size() < 2 || all.size() % 2 != 0 || all[0] != kForm) return {};
  SourceNote note{all[1], {}};
  for (std::size_t i = 2; i < all.size(); i += 2) note.ids.emplace(all[i], all[i + 1]);
  if (encode_source_note(note) != text) return {};
  return note;
}

}  // namespace neardup
