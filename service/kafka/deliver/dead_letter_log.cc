#include "service/kafka/deliver/dead_letter_log.h"

#include "service/kafka/message/message_writer.h"

namespace neardup {
void log_dead_letter(const OutgoingMessage& letter, const Flag& flag, const TopicPartition& from,
                     const TraceContext* trace, Log& log) {
  const std::string partition = to_text(from);
  std::vector<LogField> fields = {{"reason", dead_letter_reason(letter)},
                                  {"partition", partition},
                                  {"offset", flag.source.place},
                                  {"seq", flag.seq}};
  if (trace != nullptr) fields.emplace_back("record_trace_id", trace_id(trace->traceparent));
  log.write(LogLevel::kDebug, "dead letter", fields);
}

}  // namespace neardup
