// The ids of topics (KIP-516). A topic that is deleted and recreated under its name has another
// one, and its offsets mean other records.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace neardup {

// Name → id, 22 characters of base64. Topics of which no id is known are left out: brokers before
// Kafka 2.8 have none.
using TopicIds = std::map<std::string, std::string>;

// The id of a topic; empty: not known.
std::string id_of(const TopicIds& ids, const std::string& topic);

// The topics of `before` that have another id in `now`, with that id.
TopicIds made_again(const TopicIds& before, const TopicIds& now);

// One line a topic: name and id, with a space between.
std::string encode_topic_ids(const TopicIds& ids);
// Nothing unless `text` is exactly what encode_topic_ids writes.
std::optional<TopicIds> decode_topic_ids(std::string_view text);

// Meta key of the state: the topics that its positions are of. Missing in states of before 0.2.0.
inline constexpr std::string_view kMetaTopicIds = "kafka/topic_ids";

}  // namespace neardup
