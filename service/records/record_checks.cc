#include "service/records/record_checks.h"

#include <utility>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "pipeline/base/utf8.h"
#include "service/records/foreign_form.h"

namespace neardup {

void reject(Record& record, RejectReason reason, std::string detail) {
  record.kind = RecordKind::kRejected;
  record.reason = reason;
  record.detail = std::move(detail);
}

void reject_too_large(Record& record, const RawRecord& raw, const InputOptions& input) {
  reject(record, RejectReason::kRecordTooLarge,
         fmt::format("the record has {} bytes, more than input.max_record_bytes ({}): split it or "
                     "raise the limit",
                     raw.size, input.max_record_bytes));
}

bool take_id(std::string_view what, std::string_view id, Record& record) {
  if (id.empty() || id.size() > kMaxIdBytes) {
    reject(record, RejectReason::kInvalidId,
           fmt::format("{} has {} bytes: an id has 1 to {}", what, id.size(), kMaxIdBytes));
    return false;
  }
  record.id = id;
  record.has_id = true;
  return true;
}

bool take_namespace(std::string_view what, std::string_view name, Record& record) {
  if (name.size() > kMaxIdBytes) {
    reject(record, RejectReason::kInvalidId,
           fmt::format("the namespace {} has {} bytes: it may have {} at most", what, name.size(),
                       kMaxIdBytes));
    return false;
  }
  record.name_space = name;
  return true;
}

bool take_text(std::string_view what, std::string_view value, const TextOptions& options,
               Record& record, std::string_view& text) {
  if (value.size() > options.max_bytes) {
    reject(
        record, RejectReason::kTextTooLarge,
        fmt::format("{} has {} bytes, more than text.max_bytes ({}): split the document or raise "
                    "the limit",
                    what, value.size(), options.max_bytes));
    return false;
  }
  text = value;
  return true;
}

void count_text_bytes(std::string_view text, const OutputOptions& output, Record& record) {
  if (output.has(kTextBytesField)) record.text_bytes = text.size();
}

std::string_view replace_invalid(std::string_view value, std::string& buffer, Record& record) {
  if (valid_utf8(value)) return value;
  replace_invalid_utf8(value, buffer);
  record.notices.add(NoticeKind::kReplacedBytes);
  return buffer;
}

bool take_key(std::string_view key, Record& record) {
  if (!valid_utf8(key)) {
    reject(record, RejectReason::kInvalidId,
           "the message key, which is the id, is not valid UTF-8: write it as UTF-8 text");
    return false;
  }
  return take_id("the message key, which is the id,", key, record);
}

void take_whole_value(const RawRecord& raw, const InputOptions& input, const TextOptions& options,
                      std::string& buffer, Record& record, std::string_view& text) {
  if (raw.too_large) return reject_too_large(record, raw, input);
  if (!utf16_name(raw.bytes).empty()) record.notices.add(NoticeKind::kUtf16);
  if (options.invalid_utf8 == InvalidUtf8::kReject && !valid_utf8(raw.bytes)) {
    return reject(record, RejectReason::kInvalidUtf8,
                  "the text is not valid UTF-8: convert it, or set text.invalid_utf8 to replace");
  }
  const std::string_view value = replace_invalid(raw.bytes, buffer, record);
  if (record.kind != RecordKind::kRejected) take_text("the text", value, options, record, text);
}

std::string text_of(const Record& record, std::string_view text, const std::string& name) {
  if (record.kind == RecordKind::kDocument) return std::string(text);
  throw Failure(
      Exit::kUnreadable,
      name + ": " +
          (record.kind == RecordKind::kDelete ? "a delete, which has no text" : record.detail));
}

}  // namespace neardup
