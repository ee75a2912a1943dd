#include "service/kafka/message/message_decoder.h"

#include "pipeline/base/utf8.h"
#include "service/kafka/message/trace_context.h"
#include "service/records/foreign_form.h"
#include "service/records/record_checks.h"

namespace neardup {
namespace {

bool take_header_namespace(const RawRecord& raw, Record& record) {
  const std::string_view name = header_namespace(raw.headers);
  if (valid_utf8(name)) return take_namespace("in the header neardup-namespace", name, record);
  reject(record, RejectReason::kInvalidId,
         "the namespace in the header neardup-namespace is not valid UTF-8: write it as UTF-8 "
         "text");
  return false;
}

// A record with the id and namespace from key and header, or rejected if they are invalid.
Record named_by_message(const RawRecord& raw, const char* without_key) {
  Record record;
  record.source = raw.source;
  if (!raw.key) {
    reject(record, RejectReason::kMissingId, without_key);
  } else if (take_key(*raw.key, record)) {
    take_header_namespace(raw, record);
  }
  return record;
}

}  // namespace

std::string_view header_namespace(std::span<const RawHeader> headers) {
  return last_header(headers, kNamespaceHeader);
}

MessageDecoder::MessageDecoder(const InputOptions& input, const TextOptions& text,
                               const OutputOptions& output)
    : input_(input), options_(text), output_(output), json_(input, text, output) {}

Record MessageDecoder::decode_delete(const RawRecord& raw) const {
  Record record = named_by_message(
      raw, "neither key nor value: give the message the key of the document that it deletes");
  if (record.kind != RecordKind::kRejected) record.kind = RecordKind::kDelete;
  return record;
}

Record MessageDecoder::decode_raw(const RawRecord& raw, std::string_view& text) {
  // Errors of the value take precedence over errors of key and header, as with JSON.
  Record record = named_by_message(
      raw, "the message has no key, which is the id with input.format raw: give it one");
  take_whole_value(raw, input_, options_, cleaned_, record, text);
  count_text_bytes(text, output_, record);
  return record;
}

// The value keeps its id, where that can be read without the frame.
Record MessageDecoder::decode_unframed(const RawRecord& raw, std::string_view& text) {
  Record record = decode_raw_or_json(raw, text);
  text = {};
  record.text_bytes = 0;
  record.notices = {};
  record.notices.add(NoticeKind::kSchemaFrame);
  reject(
      record,
      input_.format == InputFormat::kRaw ? RejectReason::kInvalidText : RejectReason::kInvalidJson,
      "the value lacks the schema registry frame that input.frame requires: write it with the "
      "serialiser of the registry, or set input.frame to none");
  return record;
}

Record MessageDecoder::decode_value(const RawRecord& raw, std::string_view& text) {
  if (input_.frame == InputFrame::kNone || raw.too_large) return decode_raw_or_json(raw, text);
  if (!has_schema_frame(raw.bytes)) return decode_unframed(raw, text);
  RawRecord value = raw;
  value.bytes.remove_prefix(kSchemaFrameBytes);
  return decode_raw_or_json(value, text);
}

Record MessageDecoder::decode_raw_or_json(const RawRecord& raw, std::string_view& text) {
  return input_.format == InputFormat::kRaw ? decode_raw(raw, text) : json_.decode(raw, text);
}

Record MessageDecoder::decode(const RawRecord& raw, std::string_view& text) {
  text = {};
  Record record = raw.has_value ? decode_value(raw, text) : decode_delete(raw);
  if (!record.ts_ms && raw.ts_ms.value_or(-1) >= 0) record.ts_ms = raw.ts_ms;
  return record;
}

}  // namespace neardup
