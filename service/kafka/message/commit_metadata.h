// The metadata of every offset that is committed (docs/formats/kafka.md): a service's mark says
// which state committed the offset, after which batch, and of which topic; a sketcher's log mark
// says where in the log the records before the offset are.
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

struct LogMark {
  std::int64_t offset = 0;    // of the last message
  std::string log_id = {};    // of the topic of the log
  std::string topic_id = {};  // of the topic that is committed
  bool operator==(const LogMark&) const = default;
};

// "neardup-log/2 <offset> <log id> <topic id>"; where an id is not known "neardup-log/1 <offset>".
std::string encode_log_mark(const LogMark& mark);
// Nothing unless `text` is exactly what encoding writes.
std::optional<LogMark> decode_log_mark(std::string_view text);

}  // namespace neardup
