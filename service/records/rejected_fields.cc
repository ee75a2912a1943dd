#include "service/records/rejected_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <span>
#include <vector>

#include "pipeline/base/json_object.h"
#include "simdjson.h"

namespace neardup {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

constexpr unsigned kLevels = 2;              // of objects that are looked into
constexpr std::size_t kMostNames = 8;        // of fields that are listed
constexpr std::size_t kLongestName = 64;     // bytes of a name that is shown
constexpr std::ptrdiff_t kFewestSpaces = 4;  // of a string that may be a text whatever its name

// The names of these fields in other tools and data sets, the most likely first.
constexpr std::array<std::string_view, 13> kTextNames = {
    "text",         "content",  "body",    "raw_content", "raw_text", "page_content", "full_text",
    "article_text", "document", "article", "passage",     "message",  "description"};
constexpr std::array<std::string_view, 15> kIdNames = {
    "id",  "_id", "doc_id", "docid", "document_id", "uuid",           "guid", "uid",
    "key", "url", "uri",    "link",  "page_id",     "warc-record-id", "name"};

struct FieldInRecord {
  std::string pointer;
  std::string name;  // its last step, in lower case
  element value;
};

std::string_view kind_of(element value) {
  switch (value.type()) {
    case element_type::OBJECT:
      return "an object";
    case element_type::ARRAY:
      return "an array";
    case element_type::STRING:
      return "a string";
    case element_type::BOOL:
      return "a boolean";
    case element_type::NULL_VALUE:
      return "null";
    default:
      return "a number";
  }
}

bool is_string(element value) { return value.type() == element_type::STRING; }
bool is_number(element value) { return kind_of(value) == "a number"; }

std::string lower(std::string_view name) {
  std::string out(name);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// A step of a JSON pointer (RFC 6901, section 3).
std::string escaped(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

void collect(simdjson::dom::object object, const std::string& prefix, unsigned levels,
             std::vector<FieldInRecord>& fields) {
  for (const auto member : object) {
    const std::string pointer = prefix + '/' + escaped(member.key);
    if (member.key.size() > kLongestName) continue;
    fields.push_back({pointer, lower(member.key), member.value});
    simdjson::dom::object inner;
    if (levels > 1 && !member.value.get(inner)) collect(inner, pointer, levels - 1, fields);
  }
}

// The pointer as it can be typed after --set KEY=.
std::string typed(const std::string& pointer) {
  const bool plain = std::all_of(pointer.begin(), pointer.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("/_-.~").find(char(c)) != std::string_view::npos;
  });
  return plain ? pointer : json_text(pointer);
}

std::string names_of(const std::vector<FieldInRecord>& fields) {
  std::string names;
  std::size_t shown = 0;
  for (const FieldInRecord& field : fields) {
    if (shown == kMostNames) return names + " …";
    names += fmt::format("{}{}", shown++ == 0 ? "" : ", ", typed(field.pointer));
  }
  return names.empty() ? "none" : names;
}

std::size_t rank(std::span<const std::string_view> names, const FieldInRecord& field) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), field.name) -
                                  names.begin());
}

std::optional<element> find(element record, const std::string& pointer) {
  element value;
  if (record.at_pointer(pointer).get(value)) return {};
  return value;
}

// The field of a known name, strings before numbers; or null.
const FieldInRecord* likely_id(const std::vector<FieldInRecord>& fields, const std::string& but) {
  const FieldInRecord* best = nullptr;
  const auto cost = [](const FieldInRecord& field) {
    return rank(kIdNames, field) + (is_string(field.value) ? 0 : kIdNames.size());
  };
  for (const FieldInRecord& field : fields) {
    if (field.pointer == but || rank(kIdNames, field) == kIdNames.size()) continue;
    if (!is_string(field.value) && !is_number(field.value)) continue;
    if (best == nullptr || cost(field) < cost(*best)) best = &field;
  }
  return best;
}

std::size_t length(const FieldInRecord& field) { return std::string_view(field.value).size(); }

bool has_words(const FieldInRecord& field) {
  const std::string_view value(field.value);
  return std::count(value.begin(), value.end(), ' ') >= kFewestSpaces;
}

// The string of a known name, or else the longest one with some words; or null.
const FieldInRecord* likely_text(const std::vector<FieldInRecord>& fields) {
  const FieldInRecord* best = nullptr;
  for (const FieldInRecord& field : fields) {
    if (!is_string(field.value)) continue;
    const auto known = rank(kTextNames, field);
    if (known == kTextNames.size() && !has_words(field)) continue;
    if (best == nullptr || known < rank(kTextNames, *best) ||
        (known == rank(kTextNames, *best) && length(field) > length(*best))) {
      best = &field;
    }
  }
  return best;
}

std::string advise_on_id(element record, const std::vector<FieldInRecord>& fields,
                         const InputOptions& input) {
  const auto id = find(record, input.id_field);
  if (id && is_string(*id)) return "";
  const FieldInRecord* other = likely_id(fields, input.id_field);
  const bool usable = other != nullptr && is_string(other->value);
  const std::string set = usable ? fmt::format("set input.id_field={}", typed(other->pointer)) : "";
  if (id) {
    return fmt::format("the id {} is {}, but ids must be strings: {}{}", input.id_field,
                       kind_of(*id),
                       is_number(*id) ? "put it in quotes" : "give each record one of its own",
                       usable ? fmt::format(", or {}, which is one", set) : "");
  }
  if (usable) {
    return fmt::format("there is no id {}, but {} holds a string: {}", input.id_field,
                       typed(other->pointer), set);
  }
  if (other != nullptr) {
    return fmt::format(
        "there is no id {}, and {} holds a number, but ids must be strings: put it in quotes and "
        "set input.id_field={}",
        input.id_field, typed(other->pointer), typed(other->pointer));
  }
  return fmt::format(
      "there is no id {} (the fields are {}): give each record a string of its own there, or name "
      "the field that holds one with input.id_field",
      input.id_field, names_of(fields));
}

std::string advise_on_text(element record, const std::vector<FieldInRecord>& fields,
                           const InputOptions& input) {
  const auto text = find(record, input.text_field);
  if (text && is_string(*text)) return "";
  const FieldInRecord* other = likely_text(fields);
  const std::string what =
      text ? fmt::format("the text {} is {} and no string", input.text_field, kind_of(*text))
           : fmt::format("there is no text {}", input.text_field);
  if (other == nullptr) {
    return fmt::format("{} (the fields are {}): name the field that holds it with input.text_field",
                       what, names_of(fields));
  }
  return fmt::format("{}, but {} holds a string of {} bytes: set input.text_field={}", what,
                     typed(other->pointer), length(*other), typed(other->pointer));
}

}  // namespace

std::string advise_on_fields(std::string_view json, const InputOptions& input) {
  simdjson::dom::parser parser;
  const simdjson::padded_string padded(json);
  element record;
  simdjson::dom::object object;
  if (parser.parse(padded).get(record) || record.get(object)) return "";
  std::vector<FieldInRecord> fields;
  collect(object, "", kLevels, fields);
  const std::string id = advise_on_id(record, fields, input);
  const std::string text = advise_on_text(record, fields, input);
  return id.empty() || text.empty() ? id + text : id + "; " + text;
}

}  // namespace neardup
