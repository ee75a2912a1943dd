#include "service/records/all_rejected.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <span>
#include <utility>

#include "simdjson.h"

namespace neardup {
namespace {

using simdjson::dom::element;

constexpr unsigned kLevels = 2;              // of objects that are looked into
constexpr std::size_t kMostNames = 8;        // of fields that are listed
constexpr std::size_t kLongestName = 64;     // bytes of a name that is shown
constexpr std::ptrdiff_t kFewestSpaces = 4;  // of a string that may be a text under any name
// A name of these needs no escape in a JSON pointer, a shell or a terminal.
constexpr std::string_view kPlain =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";

// The names of both fields in other tools and data sets, the most likely first.
constexpr const char* kIdNames[] = {
    "id",  "_id", "doc_id", "docid", "document_id", "uuid",           "guid", "uid",
    "key", "url", "uri",    "link",  "page_id",     "warc-record-id", "name"};
constexpr const char* kTextNames[] = {
    "text",         "content",  "body",    "raw_content", "raw_text", "page_content", "full_text",
    "article_text", "document", "article", "passage",     "message",  "description"};

struct Field {
  std::string pointer;
  std::string name;
  element value;
};
using Fields = std::vector<Field>;

bool about_fields(RejectReason reason) {
  return reason == RejectReason::kMissingId || reason == RejectReason::kInvalidId ||
         reason == RejectReason::kMissingText || reason == RejectReason::kInvalidText;
}

void collect(simdjson::dom::object object, const std::string& prefix, unsigned levels,
             Fields& fields) {
  for (const auto& [key, value] : object) {
    if (key.size() > kLongestName || key.find_first_not_of(kPlain) != key.npos) continue;
    const std::string pointer = fmt::format("{}/{}", prefix, key);
    fields.push_back({pointer, std::string(key), value});
    simdjson::dom::object inner;
    if (levels > 1 && !value.get(inner)) collect(inner, pointer, levels - 1, fields);
  }
}

// The string with the most likely of the names, or null.
const Field* find_named(const Fields& fields, std::span<const char* const> names) {
  for (const char* name : names) {
    for (const Field& field : fields) {
      if (field.value.is_string() && strcasecmp(field.name.c_str(), name) == 0) return &field;
    }
  }
  return nullptr;
}

// The string with the most words, if it has some, or null.
const Field* find_words(const Fields& fields) {
  const auto spaces = [](const Field& field) {
    return field.value.is_string() ? std::ranges::count(std::string_view(field.value), ' ') : 0;
  };
  const auto most = std::ranges::max_element(fields, {}, spaces);
  return most != fields.end() && spaces(*most) >= kFewestSpaces ? &*most : nullptr;
}

bool is_string(element record, const std::string& pointer) {
  const auto value = record.at_pointer(pointer);
  return !value.error() && value.value_unsafe().is_string();
}

// Which settings read the id and the text from fields that the record has, or which it has.
std::string other_fields(std::string_view json, const InputOptions& input) {
  simdjson::dom::parser parser;
  const simdjson::padded_string padded(json);
  element record;
  simdjson::dom::object object;
  if (parser.parse(padded).get(record) || record.get(object)) return "";
  Fields fields;
  collect(object, "", kLevels, fields);
  std::string settings;
  const auto add = [&](std::string_view key, const Field* field) {
    if (field == nullptr) return;
    settings += fmt::format("; {0} holds a string: set {1}={0}", field->pointer, key);
  };
  const bool has_id = is_string(record, input.id_field);
  const bool has_text = is_string(record, input.text_field);
  if (!has_id) add("input.id_field", find_named(fields, kIdNames));
  if (!has_text) {
    const Field* named = find_named(fields, kTextNames);
    add("input.text_field", named != nullptr ? named : find_words(fields));
  }
  if (!settings.empty() || (has_id && has_text) || fields.empty()) return settings;
  std::vector<std::string> names;
  for (const Field& field : fields) names.push_back(field.pointer);
  if (names.size() > kMostNames) names.resize(kMostNames), names.emplace_back("…");
  return fmt::format(" (the fields are {})", fmt::join(names, ", "));
}

}  // namespace

AllRejected::AllRejected(const InputOptions& input, std::vector<std::string> paths)
    : input_(input), paths_(std::move(paths)) {}

void AllRejected::add(const RawRecord& raw, RejectReason reason, std::string_view detail) {
  one_taken_ = one_taken_ || reason == RejectReason::kNone;
  if (one_taken_) return;
  ++records_;
  Example& example = by_reason_[reason];
  if (example.records++ != 0) return;
  example.source = raw.source;
  example.advice = detail;
  if (about_fields(reason)) example.advice += other_fields(raw.bytes, input_);
  if (reason == RejectReason::kInvalidJson && raw.bytes.starts_with('{'))
    example.advice += "; records of several lines each become one line each with `jq -c .`";
}

std::string AllRejected::sentence() const {
  if (one_taken_ || records_ == 0) return "";
  const auto& [reason, most] = *std::ranges::max_element(
      by_reason_, {}, [](const auto& example) { return example.second.records; });
  return fmt::format("every record was rejected ({} of {} with {}); in {}, line {}: {}",
                     most.records, records_, name(reason), paths_.at(most.source.input),
                     most.source.place, most.advice);
}

}  // namespace neardup
