// The mark: the metadata of every offset that a service commits. It says which state committed the
// offset, after which batch, and of which topic (docs/formats/kafka.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/model/types.h"

namespace neardup {

struct CommitMetadata {
  std::string state;        // uuid of the state
  std::uint64_t batch = 0;  // number of the last batch delivered
  std::string chain;        // over all flags up to that batch's end, 32 hex digits
  Seq next_seq = 1;         // after that batch
  bool operator==(const CommitMetadata&) const = default;
};

// "neardup/1 <state> <batch> <chain> <next seq>"; with the id of the topic
// "neardup/2 <state> <batch> <chain> <next seq> <topic id>".
std::string encode_mark(const CommitMetadata& mark, std::string_view topic_id = {});
// Nothing unless `text` is a mark, in either form.
std::optional<CommitMetadata> decode_mark(std::string_view text);
// The topic id in a mark; empty: it has none, or `text` is no mark.
std::string topic_id_of_mark(std::string_view text);

}  // namespace neardup
