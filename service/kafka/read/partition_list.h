// Positions in the form that librdkafka takes.
#pragma once

#include <span>
#include <string>

#include "service/kafka/client/handles.h"
#include "service/kafka/message/positions.h"

namespace neardup {

// `metadata` goes with each offset; it may be empty.
PartitionList make_list(const Positions& positions, const std::string& metadata);

struct OffsetCommit {
  Position position;
  std::string metadata;  // may be empty
};
PartitionList make_list(std::span<const OffsetCommit> commits);

}  // namespace neardup
