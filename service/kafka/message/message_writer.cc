#include "service/kafka/message/message_writer.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include "fmt/format.h"
#include "service/kafka/message/message_decoder.h"
#include "service/records/json_object.h"
#include "service/records/sha256.h"

namespace neardup {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::string_view kStatus = "neardup-status";
constexpr std::string_view kSeq = "neardup-seq";
constexpr std::string_view kRule = "neardup-rule";
constexpr std::string_view kDuplicateOf = "neardup-duplicate-of";
constexpr std::string_view kDuplicateOfSeq = "neardup-duplicate-of-seq";
constexpr std::string_view kSimilarity = "neardup-similarity";
constexpr std::string_view kFlag = "neardup-flag";
constexpr std::string_view kAnnotations[] = {kStatus,         kSeq,        kRule, kDuplicateOf,
                                             kDuplicateOfSeq, kSimilarity, kFlag};

constexpr std::string_view kDetail = "neardup-detail";
constexpr std::string_view kTopic = "neardup-topic";
constexpr std::string_view kPartition = "neardup-partition";
constexpr std::string_view kOffset = "neardup-offset";
constexpr std::string_view kSize = "neardup-size";
constexpr std::string_view kSha256 = "neardup-sha256";
constexpr std::string_view kHeadersDropped = "neardup-headers-dropped";
constexpr std::string_view kKeyDropped = "neardup-key-dropped";
constexpr std::string_view kDeadLetterNames[] = {kReasonHeader,   kDetail,    kTopic, kPartition,
                                                 kOffset,         kSeq,       kSize,  kSha256,
                                                 kHeadersDropped, kKeyDropped};

constexpr std::chrono::minutes kLargestLead{55};

// Upper bounds of what Kafka's record format adds to a message and to each header.
constexpr std::uint64_t kMessageOverhead = 100;
constexpr std::uint64_t kHeaderOverhead = 12;

std::uint64_t size_of(const std::optional<std::string>& bytes) { return bytes ? bytes->size() : 0; }

std::uint64_t wire_bytes(const OutgoingMessage& message) {
  std::uint64_t bytes = kMessageOverhead + size_of(message.key) + size_of(message.value);
  for (const MessageHeader& header : message.headers) {
    bytes += kHeaderOverhead + header.name.size() + size_of(header.value);
  }
  return bytes;
}

void add(OutgoingMessage& message, std::string_view name, std::string_view value) {
  message.headers.push_back({std::string(name), std::string(value)});
}

void add(OutgoingMessage& message, std::string_view name, std::uint64_t number) {
  message.headers.push_back({std::string(name), std::to_string(number)});
}

std::optional<std::string> copy(const std::optional<std::string_view>& bytes) {
  return bytes ? std::optional<std::string>(*bytes) : std::nullopt;
}

// Brokers refuse timestamps far in the future (message.timestamp.after.max.ms, 1 hour by default):
// nothing for those, so that they are sent with the time of sending.
std::optional<std::int64_t> acceptable(std::optional<std::int64_t> ts_ms) {
  const auto now = std::chrono::system_clock::now() + kLargestLead;
  const auto latest = std::chrono::ceil<std::chrono::milliseconds>(now.time_since_epoch());
  return ts_ms && *ts_ms <= latest.count() ? ts_ms : std::nullopt;
}

// The message without its value, and without headers whose name is in `ours`.
OutgoingMessage copy_without_value(const RawRecord& record, Names ours) {
  OutgoingMessage message{
      .key = copy(record.key), .value = {}, .headers = {}, .ts_ms = acceptable(record.ts_ms)};
  message.headers.reserve(record.headers.size() + ours.size());
  for (const RawHeader& header : record.headers) {
    if (std::ranges::find(ours, header.name) != ours.end()) continue;
    message.headers.push_back({std::string(header.name), copy(header.value)});
  }
  return message;
}

OutgoingMessage copy_of(const RawRecord& record, Names ours) {
  OutgoingMessage message = copy_without_value(record, ours);
  if (record.has_value) message.value.emplace(record.bytes);
  return message;
}

// A source may leave out the value of a record that is larger than input.max_record_bytes.
bool value_left_out(const RawRecord& record) {
  return record.too_large && record.bytes.size() != record.size;
}

bool value_at_hand(const RawRecord& record) { return record.has_value && !value_left_out(record); }

bool passes(Status status) {
  return status == Status::kUnique || status == Status::kTooShort || status == Status::kEmpty;
}

// A null value, which deletes the document for the readers of the output topic, another neardup
// among them.
OutgoingMessage deletion(const Flag& flag, const RawRecord& record) {
  OutgoingMessage message = copy_without_value(record, {});
  if (!message.key) message.key = flag.id;
  if (header_namespace(record.headers) != flag.name_space) {
    add(message, kNamespaceHeader, flag.name_space);
  }
  return message;
}

void add_reference(OutgoingMessage& letter, const RawRecord& record) {
  add(letter, kSize, record.too_large ? record.size : record.bytes.size());
  if (value_at_hand(record)) add(letter, kSha256, sha256_hex(record.bytes));
}

void drop_headers(OutgoingMessage& letter, std::size_t count) {
  if (count == 0) return;
  letter.headers.erase(letter.headers.begin(), letter.headers.begin() + static_cast<long>(count));
  add(letter, kHeadersDropped, count);
}

void drop_key(OutgoingMessage& letter) {
  if (!letter.key) return;
  add(letter, kKeyDropped, letter.key->size());
  letter.key.reset();
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

std::string_view dead_letter_reason(const OutgoingMessage& message) {
  // Headers of the input that have our names are dropped.
  const auto reason = std::ranges::find(message.headers, kReasonHeader, &MessageHeader::name);
  return *reason->value;
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
  add(message, kStatus, name(flag.status));
  for (const RawHeader& header : trace_headers(trace)) add(message, header.name, *header.value);
  return message;
}

OutgoingMessage MessageWriter::annotated(const Flag& flag, const RawRecord& record) {
  OutgoingMessage message = copy_of(record, kAnnotations);
  add(message, kStatus, name(flag.status));
  add(message, kSeq, flag.seq);
  add(message, kRule, rule_);
  if (const auto& original = flag.original) {
    const Ppm thousandths = original->similarity / 1000;
    add(message, kDuplicateOf, original->id);
    add(message, kDuplicateOfSeq, original->seq);
    add(message, kSimilarity, fmt::format("{}.{:03}", thousandths / 1000, thousandths % 1000));
  }
  add(message, kFlag, json(flag));
  return message;
}

void MessageWriter::pass_on(OutgoingMessage message, const Flag& flag, const RawRecord& record,
                            std::vector<OutgoingMessage>& out) const {
  const std::uint64_t bytes = wire_bytes(message);
  if (bytes <= limits_.output) {
    out.push_back(std::move(message));
  } else if (flag.status != Status::kRejected) {  // those have their dead letter anyway
    const std::string detail = fmt::format(
        "to pass it on takes {} bytes, more than the {} that the output topic takes: raise its "
        "max.message.bytes and message.max.bytes under kafka.librdkafka",
        bytes, limits_.output);
    out.push_back(dead_letter(flag, record, {"too_large_to_pass_on", detail}, false));
  }
}

OutgoingMessage MessageWriter::dead_letter(const Flag& flag, const RawRecord& record,
                                           const DeadReason& why, bool with_value) const {
  OutgoingMessage letter = copy_without_value(record, kDeadLetterNames);
  const std::size_t passed_headers = letter.headers.size();
  const TopicPartition& from = partition_of_(flag.source.input);
  letter.destination = Destination::kDeadLetter;
  add(letter, kReasonHeader, why.reason);
  add(letter, kDetail, why.detail);
  add(letter, kTopic, from.topic);
  add(letter, kPartition, static_cast<std::uint64_t>(from.partition));
  add(letter, kOffset, flag.source.place);
  add(letter, kSeq, flag.seq);
  const auto too_large = [&](std::uint64_t more) {
    return wire_bytes(letter) + more > limits_.dead_letter;
  };
  if (with_value && value_at_hand(record) && !too_large(record.bytes.size())) {
    letter.value.emplace(record.bytes);
  } else if (record.has_value) {
    add_reference(letter, record);
  }
  if (too_large(0)) drop_headers(letter, passed_headers);
  if (too_large(0)) drop_key(letter);
  return letter;
}

}  // namespace neardup
