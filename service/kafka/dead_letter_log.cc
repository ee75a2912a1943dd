#include "service/kafka/dead_letter_log.h"

#include <algorithm>

#include "service/kafka/message_writer.h"

namespace neardup {
namespace {

std::string_view reason_of(const OutgoingMessage& letter) {
  const auto found = std::ranges::find(letter.headers, kReasonHeader, &MessageHeader::name);
  return found == letter.headers.end() ? std::string_view() : std::string_view(*found->value);
}

}  // namespace

void log_dead_letter(const OutgoingMessage& letter, const Flag& flag, const TopicPartition& from,
                     const TraceContext* trace, Log& log) {
  const std::string partition = to_text(from);
  std::vector<LogField> fields = {{"reason", reason_of(letter)},
                                  {"partition", partition},
                                  {"offset", flag.source.place},
                                  {"seq", flag.seq}};
  if (trace != nullptr) fields.emplace_back("record_trace_id", trace_id(trace->traceparent));
  log.write(LogLevel::kDebug, "dead letter", fields);
}

}  // namespace neardup
