// The metadata of an offset that a sketcher commits: where in the log the records before it are,
// and of which topics both offsets are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace neardup {

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
