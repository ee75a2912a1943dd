#include "service/records/record_decoder.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "pipeline/base/utf8.h"
#include "pipeline/model/text_batch.h"
#include "service/records/foreign_form.h"
#include "service/records/json_fields.h"
#include "service/records/json_unescape.h"
#include "service/records/record_checks.h"
#include "service/records/timestamp.h"

namespace neardup {
namespace {

enum RecordFieldAt : std::size_t { kId, kText, kNamespace, kTimestamp, kDelete, kUrl, kFields };

bool is_string(std::string_view token) { return !token.empty() && token[0] == '"'; }

bool is_number(std::string_view token) {
  return !token.empty() && (token[0] == '-' || (token[0] >= '0' && token[0] <= '9'));
}

// The text between the quotes of a string, unescaped into `buffer` if it has escapes. False on an
// invalid escape. `halves`: as of `unescape`.
bool string_value(std::string_view token, std::string& buffer, std::string_view& value,
                  std::uint64_t* halves = nullptr) {
  value = token.substr(1, token.size() - 2);
  if (value.find('\\') == value.npos) return true;
  return unescape(value, buffer, value, halves);
}

void reject_escape(Record& record, const std::string& pointer) {
  reject(record, RejectReason::kInvalidEscape,
         fmt::format("{} holds an invalid escape or half of a surrogate pair: write it as UTF-8 or "
                     "as a complete \\u pair",
                     pointer));
}

const char* structure_detail(FieldsError error) {
  switch (error) {
    case FieldsError::kNotObject:
      return "the record is not a JSON object: write {\"id\":…,\"text\":…}";
    case FieldsError::kTrailing:
      return "something follows after the JSON object: write one record a line";
    default:
      return "the record is not well-formed JSON: check brackets, quotes, commas and raw control "
             "characters";
  }
}

}  // namespace

struct RecordDecoder::Impl {
  InputOptions input;
  TextOptions options;
  OutputOptions output;
  std::string pointers[kFields];
  bool has_url;
  const FoundFields* found = nullptr;  // of the input of `fields`
  JsonFields fields;
  std::string cleaned;  // the record with U+FFFD for ill-formed parts
  std::string text;     // the text without escapes
  std::string scratch;

  Impl(const InputOptions& in, const TextOptions& text_options, const OutputOptions& out)
      : input(in),
        options(text_options),
        output(out),
        pointers{in.id_field,        in.text_field, in.namespace_field,
                 in.timestamp_field, "/delete",     in.url_field},
        has_url(output.has(kUrlField)),
        fields(std::span(pointers).first(has_url ? kFields : kUrl)) {}

  void use(const FoundFields* of_input);
  FieldsError find(std::string_view json, Record& record);
  bool read_id(const RawRecord& raw, FieldsError error, Record& record);
  bool read_namespace(Record& record);
  bool read_timestamp(Record& record);
  bool read_url(Record& record);
  bool read_text(Record& record, std::string_view& out);
  bool check_structure(std::string_view json, FieldsError error, Record& record);
};

// Records of one input follow each other.
void RecordDecoder::Impl::use(const FoundFields* of_input) {
  if (found == of_input) return;
  found = of_input;
  pointers[kId] = found != nullptr && !found->id.empty() ? found->id : input.id_field;
  pointers[kText] = found != nullptr ? found->text : input.text_field;
  fields = JsonFields(std::span(pointers).first(has_url ? kFields : kUrl));
}

FieldsError RecordDecoder::Impl::find(std::string_view json, Record& record) {
  const FieldsError error = fields.find(json);
  if (error != FieldsError::kUtf8 || options.invalid_utf8 == InvalidUtf8::kReject) return error;
  record.notices.add(NoticeKind::kReplacedBytes);
  replace_invalid_utf8(json, cleaned);
  const std::size_t size = cleaned.size();
  cleaned.append(kTextPadding, '\0');
  return fields.find(std::string_view(cleaned).substr(0, size));
}

bool RecordDecoder::Impl::check_structure(std::string_view json, FieldsError error,
                                          Record& record) {
  if (error != FieldsError::kNone) {
    if (auto form = foreign_form(json)) {
      record.notices = {};  // nothing of it was used
      record.notices.add(form->kind);
      reject(record, RejectReason::kInvalidJson, std::move(form->detail));
      return false;
    }
  }
  if (error == FieldsError::kUtf8) {
    reject(record, RejectReason::kInvalidUtf8,
           "the record is not valid UTF-8: convert it, or set text.invalid_utf8 to replace");
  } else if (error != FieldsError::kNone) {
    reject(record, RejectReason::kInvalidJson, structure_detail(error));
  } else if (const std::string* key = fields.duplicate()) {
    reject(record, RejectReason::kDuplicateField,
           fmt::format("the field \"{}\" occurs twice: keep one of them", *key));
  } else {
    return true;
  }
  return false;
}

bool RecordDecoder::Impl::read_id(const RawRecord& raw, FieldsError error, Record& record) {
  const std::string_view token = fields.token(kId);
  std::string_view id;
  if (found != nullptr && found->id.empty()) {
    return take_id("the id made of input and line",
                   fmt::format("{}:{}", found->input, raw.source.place), record);
  }
  if (found != nullptr && is_number(token)) return take_id(pointers[kId], token, record);
  // Only a well-formed object is known to lack an id.
  if (token.empty() && raw.key && error == FieldsError::kNone && !fields.duplicate()) {
    return take_key(*raw.key, record);
  }
  if (token.empty()) {
    reject(record, RejectReason::kMissingId,
           fmt::format("{} is missing: give each record a string of 1 to {} bytes there, or set "
                       "input.id_field",
                       pointers[kId], kMaxIdBytes));
  } else if (!is_string(token)) {
    reject(record, RejectReason::kInvalidId,
           fmt::format("{} must be a string: put the id in quotes", pointers[kId]));
  } else if (!string_value(token, scratch, id)) {
    reject_escape(record, pointers[kId]);
  } else {
    return take_id(pointers[kId], id, record);
  }
  return false;
}

bool RecordDecoder::Impl::read_namespace(Record& record) {
  const std::string_view token = fields.token(kNamespace);
  if (token.empty() || token == "null") return true;
  std::string_view name;
  if (!is_string(token)) {
    reject(record, RejectReason::kInvalidId,
           fmt::format("the namespace {} must be a string: put it in quotes, or leave it out",
                       pointers[kNamespace]));
  } else if (!string_value(token, scratch, name)) {
    reject_escape(record, pointers[kNamespace]);
  } else {
    return take_namespace(pointers[kNamespace], name, record);
  }
  return false;
}

bool RecordDecoder::Impl::read_timestamp(Record& record) {
  const std::string_view token = fields.token(kTimestamp);
  std::string_view text_value;
  if (!is_string(token)) {
    record.ts_ms = number_timestamp(token);
  } else if (string_value(token, scratch, text_value)) {
    record.ts_ms = rfc3339_timestamp(text_value);
  } else {
    reject_escape(record, pointers[kTimestamp]);
    return false;
  }
  const bool has_one = !token.empty() && token != "null";
  if (has_one && !record.ts_ms) record.notices.add(NoticeKind::kUnreadTime);
  return true;
}

bool RecordDecoder::Impl::read_url(Record& record) {
  if (!has_url) return true;
  const std::string_view token = fields.token(kUrl);
  if (!is_string(token)) return true;
  std::string_view url;
  if (!string_value(token, scratch, url)) {
    reject_escape(record, pointers[kUrl]);
    return false;
  }
  if (url.size() <= kMaxUrlBytes) record.url = url;
  return true;
}

bool RecordDecoder::Impl::read_text(Record& record, std::string_view& out) {
  const std::string_view token = fields.token(kText);
  const bool replaces = options.invalid_utf8 == InvalidUtf8::kReplace;
  std::uint64_t halves = 0;
  std::string_view value;
  if (token.empty()) {
    reject(record, RejectReason::kMissingText,
           fmt::format("{} is missing: give each document a string there, or set input.text_field",
                       pointers[kText]));
  } else if (!is_string(token)) {
    reject(record, RejectReason::kInvalidText, fmt::format("{} must be a string", pointers[kText]));
  } else if (!string_value(token, text, value, replaces ? &halves : nullptr)) {
    reject_escape(record, pointers[kText]);
  } else {
    if (halves > 0) record.notices.add(NoticeKind::kHalfSurrogate);
    return take_text(pointers[kText], value, options, record, out);
  }
  return false;
}

RecordDecoder::RecordDecoder(const InputOptions& input, const TextOptions& text,
                             const OutputOptions& output)
    : impl_(std::make_unique<Impl>(input, text, output)) {}

RecordDecoder::~RecordDecoder() = default;

Record RecordDecoder::decode(const RawRecord& raw, std::string_view& text) {
  Record record;
  record.source = raw.source;
  text = {};
  if (raw.too_large) {
    reject_too_large(record, raw, impl_->input);
    return record;
  }
  if (raw.faulty) {
    reject(record, RejectReason::kInvalidJson, std::string(raw.bytes));
    return record;
  }
  impl_->use(raw.fields);
  // Reads the id first: a record that is rejected for anything else keeps it.
  const FieldsError error = impl_->find(raw.bytes, record);
  const bool named = impl_->read_id(raw, error, record) && impl_->read_namespace(record);
  if (!impl_->check_structure(raw.bytes, error, record) || !named ||
      !impl_->read_timestamp(record) || !impl_->read_url(record)) {
    return record;
  }
  if (impl_->fields.token(kDelete) == "true") {
    record.kind = RecordKind::kDelete;
  } else {
    impl_->read_text(record, text);
    count_text_bytes(text, impl_->output, record);
  }
  return record;
}

}  // namespace neardup
