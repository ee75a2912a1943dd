#include "service/kafka/message/topic_ids.h"

#include <algorithm>

namespace neardup {

std::string id_of(const TopicIds& ids, const std::string& topic) {
  const auto found = ids.find(topic);
  return found == ids.end() ? std::string() : found->second;
}

TopicIds made_again(const TopicIds& before, const TopicIds& now) {
  TopicIds others;
  for (const auto& [topic, id] : now) {
    const auto known = before.find(topic);
    if (known != before.end() && known->second != id) others.emplace(topic, id);
  }
  return others;
}

std::string encode_topic_ids(const TopicIds& ids) {
  std::string text;
  for (const auto& [topic, id] : ids) text.append(topic).append(" ").append(id).append("\n");
  return text;
}

std::optional<TopicIds> decode_topic_ids(std::string_view text) {
  TopicIds ids;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t space = line.find(' ');
    if (space == line.npos) return {};
    ids.emplace(line.substr(0, space), line.substr(space + 1));
  }
  if (encode_topic_ids(ids) != text) return {};
  return ids;
}

}  // namespace neardup
