// Makes the messages that answer one input message, by output.mode (docs/formats/kafka.md).
//
// In every mode a rejected message also gets a dead letter. A message too large to be passed on
// gets one that refers to it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "config/service_options.h"
#include "pipeline/ports.h"
#include "service/kafka/message/message.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/message/trace_context.h"
#include "service/records/flag_writer.h"

namespace neardup {

// Which messages answer a record.
struct AnswerMode {
  AnswerMode(OutputMode of_output, bool with_dead_letters = true)
      : output(of_output), dead_letters(with_dead_letters) {}
  OutputMode output;
  bool dead_letters;  // false: the sketchers of a cluster write them
};

// The largest message, in bytes with key and headers, that producer and topic accept.
struct MessageLimits {
  std::uint64_t output = 0;
  std::uint64_t dead_letter = 0;
};

// The partition of a SourcePosition::input. The result is valid until the next call.
using PartitionOf = std::function<const TopicPartition&(std::uint32_t input)>;

// {"topic":"docs","partition":0,"offset":41}
SourceFormat message_sources(PartitionOf partition_of);

// Whether the answer to a message needs the message itself, not only its flag.
bool needs_record(const AnswerMode& mode, const Flag& flag);

// One per thread.
class MessageWriter {
 public:
  // `rule`: 16 hex digits of the fingerprint.
  MessageWriter(const AnswerMode& mode, std::string_view rule, Ppm threshold, MessageLimits limits,
                PartitionOf partition_of);

  // Appends the messages to send. `record` is the message that `flag` answers; it may be null
  // unless needs_record. If it is needed and null, the message was deleted from its topic, and a
  // dead letter says so. `trace`: of that message, or null.
  void append(const Flag& flag, const RawRecord* record, const TraceContext* trace,
              std::vector<OutgoingMessage>& out);

 private:
  struct DeadReason {
    std::string_view reason;
    std::string_view detail;
  };

  void append_gone(const Flag& flag, const TraceContext* trace, std::vector<OutgoingMessage>& out);
  const std::string& json(const Flag& flag);
  OutgoingMessage flag_message(const Flag& flag, const TraceContext* trace);
  OutgoingMessage annotated(const Flag& flag, const RawRecord& record);
  void pass_on(OutgoingMessage message, const Flag& flag, const RawRecord& record,
               std::vector<OutgoingMessage>& out) const;
  OutgoingMessage dead_letter(const Flag& flag, const RawRecord& record, const DeadReason& why,
                              bool with_value) const;

  AnswerMode mode_;
  std::string rule_;
  MessageLimits limits_;
  PartitionOf partition_of_;
  FlagWriter flags_;
  std::string json_;  // the last flag
};

}  // namespace neardup
