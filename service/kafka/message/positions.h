// The positions of a service in its input partitions.
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

// "docs[3]", for log lines and error messages.
std::string to_text(const TopicPartition& partition);

// The offset of a partition of which a state that is being rebuilt has read no record yet.
inline constexpr std::int64_t kUnknownOffset = -1;

struct Position {
  TopicPartition partition;
  std::int64_t offset = 0;  // of the next record to read
  bool operator==(const Position&) const = default;
};

// One for each assigned partition. The index of a partition, its place, is SourcePosition::input of
// its records. It never changes: new partitions are added at the end.
using Positions = std::vector<Position>;

const Position* find(const Positions& positions, const TopicPartition& partition);

// One line a partition: topic, partition, offset, with spaces between. Topics have no spaces.
std::string encode_positions(const Positions& positions);
// Nothing unless `text` is exactly what encode_positions writes.
std::optional<Positions> decode_positions(std::string_view text);

// Meta key of the state.
inline constexpr std::string_view kMetaPositions = "kafka/positions";

}  // namespace neardup
