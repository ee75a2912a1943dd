#include "service/kafka/message/message_writer.h"

#include <algorithm>
#include <span>
#include <utility>

#include "fmt/format.h"
#include "pipeline/base/json_object.h"
#include "service/kafka/message/dead_letter.h"
#include "service/kafka/message/message.h"
#include "service/kafka/message/message_decoder.h"

namespace neardup {
namespace {

constexpr std::string_view kStatus = "neardup-status";
constexpr std::string_view kRule = "neardup-rule";
constexpr std::string_view kDuplicateOf = "neardup-duplicate-of";
constexpr std::string_view kDuplicateOfSeq = "neardup-duplicate-of-seq";
constexpr std::string_view kSimilarity = "neardup-similarity";
constexpr std::string_view kFlag = "neardup-flag";
constexpr std::string_view kAnnotations[] = {kStatus,         kSeqHeader,  kRule, kDuplicateOf,
                                             kDuplicateOfSeq, kSimilarity, kFlag};

OutgoingMessage copy_of(const RawRecord& record, std::span<const std::string_view> ours) {
  OutgoingMessage message = copy_without_value(record, ours);
  if (record.has_value) message.value.emplace(record.bytes);
  return message;
}

bool passes(Status status) {
  return status == Status::kUnique || status == Status::kTooShort || status == Status::kEmpty;
}

// A null value, which deletes the document for the readers of the output topic, another neardup
// among them.
OutgoingMessage deletion(const Flag& flag, const RawRecord& record) {
  OutgoingMessage message = copy_without_value(record);
  if (!message.key) message.key = flag.id;
  if (header_namespace(record.headers) != flag.name_space) {
    add_header(message, kNamespaceHeader, flag.name_space);
  }
  return message;
}

}  // namespace

SourceFormat message_sources(PartitionOf partition_of) {
  return [partition_of = std::move(partition_of)](const SourcePosition& source, std::string& out) {
    const TopicPartition& from = partition_of(source.input);
    out.append(R"({"topic":)");
    append_json_string(from.topic, out);
    out.append(R"(,"partition":)").append(std::to_string(from.partition));
    out.append(R"(,"offset":)").append(std::to_string(source.place)).push_back('}');
  };
}

bool needs_record(const AnswerMode& mode, const Flag& flag) {
  if (flag.status == Status::kRejected && mode.dead_letters) return true;
  if (mode.output == OutputMode::kAnnotate) return true;
  return mode.output == OutputMode::kFilter &&
         (passes(flag.status) || flag.status == Status::kDeleted);
}

MessageWriter::MessageWriter(const AnswerMode& mode, std::string_view rule, Ppm threshold,
                             MessageLimits limits, PartitionOf partition_of)
    : mode_(mode),
      rule_(rule),
      limits_(limits),
      partition_of_(std::move(partition_of)),
      flags_(rule, threshold, message_sources(partition_of_)) {}

void MessageWriter::append(const Flag& flag, const RawRecord* record, const TraceContext* trace,
                           std::vector<OutgoingMessage>& out) {
  if (record == nullptr && needs_record(mode_, flag)) return append_gone(flag, trace, out);
  if (mode_.output == OutputMode::kFlags) {
    out.push_back(flag_message(flag, trace));
  } else if (mode_.output == OutputMode::kAnnotate) {
    if (!value_left_out(*record)) pass_on(annotated(flag, *record), flag, *record, out);
  } else if (passes(flag.status)) {
    pass_on(copy_of(*record, {}), flag, *record, out);
  } else if (flag.status == Status::kDeleted) {
    pass_on(deletion(flag, *record), flag, *record, out);
  }
  if (flag.status == Status::kRejected && mode_.dead_letters) {
    out.push_back(dead_letter(flag, *record, {name(flag.reason), flag.detail}, true));
  }
}

// The answer without the message: a complete flag or delete, or else a dead letter that says that
// the message was deleted.
void MessageWriter::append_gone(const Flag& flag, const TraceContext* trace,
                                std::vector<OutgoingMessage>& out) {
  RawRecord nothing;
  nothing.has_value = false;
  if (flag.has_id) nothing.key = flag.id;
  const std::vector<RawHeader> headers = trace_headers(trace);
  nothing.headers = headers;
  if (mode_.output == OutputMode::kFlags) out.push_back(flag_message(flag, trace));
  if (flag.status == Status::kDeleted && mode_.output == OutputMode::kFilter) {
    out.push_back(deletion(flag, nothing));
  } else if (flag.status == Status::kRejected) {
    out.push_back(dead_letter(flag, nothing, {name(flag.reason), flag.detail}, false));
  } else {
    out.push_back(dead_letter(flag, nothing,
                              {"gone_before_it_was_passed_on",
                               "the message was deleted from its topic before it could be passed "
                               "on: raise the retention of the topic"},
                              false));
  }
}

const std::string& MessageWriter::json(const Flag& flag) {
  json_.clear();
  flags_.append(flag, json_);
  json_.pop_back();  // the line end
  return json_;
}

OutgoingMessage MessageWriter::flag_message(const Flag& flag, const TraceContext* trace) {
  OutgoingMessage message;
  if (flag.has_id) message.key = flag.id;
  message.value = json(flag);
  add_header(message, kStatus, name(flag.status));
  for (const RawHeader& header : trace_headers(trace))
    add_header(message, header.name, *header.value);
  return message;
}

OutgoingMessage MessageWriter::annotated(const Flag& flag, const RawRecord& record) {
  OutgoingMessage message = copy_of(record, kAnnotations);
  add_header(message, kStatus, name(flag.status));
  add_header(message, kSeqHeader, flag.seq);
  add_header(message, kRule, rule_);
  if (const auto& original = flag.original) {
    const Ppm thousandths = original->similarity / 1000;
    add_header(message, kDuplicateOf, original->id);
    add_header(message, kDuplicateOfSeq, original->seq);
    add_header(message, kSimilarity,
               fmt::format("{}.{:03}", thousandths / 1000, thousandths % 1000));
  }
  add_header(message, kFlag, json(flag));
  return message;
}

void MessageWriter::pass_on(OutgoingMessage message, const Flag& flag, const RawRecord& record,
                            std::vector<OutgoingMessage>& out) const {
  const std::uint64_t bytes = wire_bytes(message);
  if (bytes <= limits_.output) {
    out.push_back(std::move(message));
  } else if (flag.status != Status::kRejected) {  // those have their dead letter anyway
    const std::string detail = fmt::format(
        "passing it on takes {} bytes, more than the {} that the output topic accepts: raise its "
        "max.message.bytes and message.max.bytes under kafka.librdkafka",
        bytes, limits_.output);
    out.push_back(dead_letter(flag, record, {"too_large_to_pass_on", detail}, false));
  }
}

OutgoingMessage MessageWriter::dead_letter(const Flag& flag, const RawRecord& record,
                                           const DeadReason& why, bool with_value) const {
  return make_dead_letter({.reason = why.reason,
                           .detail = why.detail,
                           .from = partition_of_(flag.source.input),
                           .offset = flag.source.place,
                           .seq = flag.seq,
                           .with_value = with_value,
                           .limit = limits_.dead_letter},
                          record);
}

}  // namespace neardup
