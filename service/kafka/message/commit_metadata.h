// The mark: the metadata of every offset that a service commits. It says which state committed the
// offset, and after which batch (docs/formats/kafka.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/core/types.h"

namespace neardup {

struct CommitMetadata {
  std::string state;        // uuid of the state
  std::uint64_t batch = 0;  // number of the last batch delivered
  std::string chain;        // over all flags up to that batch's end, 32 hex digits
  Seq next_seq = 1;         // after that batch
  bool operator==(const CommitMetadata&) const = default;
};

// "neardup/1 <state> <batch> <chain> <next seq>"
std::string encode_mark(const CommitMetadata& mark);
// Nothing unless `text` is a mark.
std::optional<CommitMetadata> decode_mark(std::string_view text);

}  // namespace neardup
