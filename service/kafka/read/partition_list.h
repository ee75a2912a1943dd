// Positions in the form that librdkafka takes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "service/kafka/client/handles.h"
#include "service/kafka/message/commit_metadata.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/message/topic_ids.h"

namespace neardup {

// `metadata` goes with each offset; it may be empty.
PartitionList make_list(const Positions& positions, const std::string& metadata);

struct OffsetCommit {
  Position position;
  std::string metadata;  // may be empty
};
PartitionList make_list(std::span<const OffsetCommit> commits);

// Each with the mark, and with the id of its topic as far as it is known.
std::vector<OffsetCommit> marked(const Positions& positions, const CommitMetadata& mark,
                                 const TopicIds& ids);

}  // namespace neardup
