// Where a service stands in its input partitions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

struct TopicPartition {
  std::string topic;
  std::int32_t partition = 0;
  auto operator<=>(const TopicPartition&) const = default;
};

// "docs[3]", for people.
std::string to_text(const TopicPartition& partition);

// Of a partition of which a state that is being rebuilt has seen no record yet.
inline constexpr std::int64_t kUnknownOffset = -1;

struct Position {
  TopicPartition partition;
  std::int64_t offset = 0;  // of the next record to read
  bool operator==(const Position&) const = default;
};

// One for each assigned partition. The place of a partition never changes, new ones are added at
// the end: it is SourcePosition::input of the partition's records.
using Positions = std::vector<Position>;

const Position* find(const Positions& positions, const TopicPartition& partition);

// One line a partition: topic, partition, offset, with spaces between. Topics have no spaces.
std::string encode_positions(const Positions& positions);
// Nothing unless `text` is what encoding writes.
std::optional<Positions> decode_positions(std::string_view text);

// Meta key of the state.
inline constexpr std::string_view kMetaPositions = "kafka/positions";

}  // namespace neardup
