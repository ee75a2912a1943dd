// The note of the group of sketchers in addition to its offsets: of which topics the sources of the
// log are. Kafka forgets the offsets of a topic that is deleted, and the log keeps its positions.
// Without Kafka.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "service/kafka/message/topic_ids.h"

namespace neardup {

struct SourceNote {
  std::string cluster;  // uuid
  TopicIds ids;         // of the inputs, the log and the topic of decisions
  bool operator==(const SourceNote&) const = default;
};

// As brokers take it without being asked (offset.metadata.max.bytes is 4096): 80 topics with names
// of 20 bytes fit.
inline constexpr std::size_t kMostNoteBytes = 4000;

// "neardup-sources/1 <cluster>", and for each topic " <name> <id>". Topics that do not fit are left
// out, the last ones by name.
std::string encode_source_note(const SourceNote& note);
// Nothing unless `text` is exactly what encoding writes.
std::optional<SourceNote> decode_source_note(std::string_view text);

}  // namespace neardup
