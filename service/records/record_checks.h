// The checks that all decoders share. `what` names the field in error messages, such as "/id" or
// "the message key".
#pragma once

#include <string>
#include <string_view>

#include "config/service_options.h"
#include "pipeline/ports.h"
#include "pipeline/rule/options.h"

namespace neardup {

void reject(Record& record, RejectReason reason, std::string detail);

// Rejects a record that is longer than input.max_record_bytes.
void reject_too_large(Record& record, const RawRecord& raw, const InputOptions& input);

// These three set what they check, or reject the record and return false. Requires: valid UTF-8.
bool take_id(std::string_view what, std::string_view id, Record& record);
bool take_namespace(std::string_view what, std::string_view name, Record& record);
bool take_text(std::string_view what, std::string_view value, const TextOptions& options,
               Record& record, std::string_view& text);

// Sets text_bytes of a record with this text, where it is a field of `output`.
void count_text_bytes(std::string_view text, const OutputOptions& output, Record& record);

// The text with U+FFFD for what is not valid UTF-8; refers to `value` or to `buffer`.
std::string_view replace_invalid(std::string_view value, std::string& buffer, Record& record);

// The whole value as the text of a record that is not rejected yet. `text` refers to it, or to
// `buffer`.
void take_whole_value(const RawRecord& raw, const InputOptions& input, const TextOptions& options,
                      std::string& buffer, Record& record, std::string_view& text);

// The same as take_id for the key of a message, which is the id. `key` may be any bytes.
bool take_key(std::string_view key, Record& record);

// The text of a decoded document. Throws Failure(kUnreadable) that says why the record `name` has
// none.
std::string text_of(const Record& record, std::string_view text, const std::string& name);

}  // namespace neardup
