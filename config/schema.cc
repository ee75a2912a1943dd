#include <fmt/format.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include <initializer_list>
#include <ranges>
#include <span>
#include <variant>

#include "config/fields.h"
#include "config/librdkafka_keys.h"
#include "config/show.h"
#include "config/units.h"
#include "config/values.h"

namespace neardup {
namespace {

// Writes JSON with the keywords of JSON Schema.
class SchemaWriter {
 public:
  SchemaWriter() {
    json_.SetIndent(' ', 1);
    json_.SetFormatOptions(rapidjson::kFormatSingleLineArray);
  }

  void begin(std::string_view name) {
    key(name);
    json_.StartObject();
  }
  void begin() { json_.StartObject(); }
  void end() { json_.EndObject(); }

  void text(std::string_view name, std::string_view value) {
    key(name);
    string(value);
  }
  // `value` is JSON already.
  void raw(std::string_view name, std::string_view value) {
    key(name);
    json_.RawValue(value.data(), value.size(), rapidjson::kNumberType);
  }
  template <typename Items>
  void list(std::string_view name, const Items& items) {
    key(name);
    json_.StartArray();
    for (const std::string_view item : items) string(item);
    json_.EndArray();
  }
  void types(std::initializer_list<std::string_view> names) { list("type", names); }
  void closed() {
    text("type", "object");
    raw("additionalProperties", "false");
  }
  std::string str() const { return std::string(buffer_.GetString(), buffer_.GetSize()) + '\n'; }

 private:
  void key(std::string_view name) {
    json_.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
  }
  void string(std::string_view value) {
    json_.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  }

  rapidjson::StringBuffer buffer_;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> json_{buffer_};
};

void bounds(SchemaWriter& out, const std::string& least, const std::string& most) {
  out.raw("minimum", least);
  out.raw("maximum", most);
}

// A number as a text, or the word for 0.
void pattern(SchemaWriter& out, const Field& field, std::string_view number) {
  out.text("pattern", field.zero_word.empty() ? fmt::format("^({})$", number)
                                              : fmt::format("^({}|{})$", number, field.zero_word));
}

// The allowed values, each as a number and as a text.
void choices(SchemaWriter& out, const Field& field) {
  out.raw("enum", fmt::format("[{}, \"{}\"]", fmt::join(field.choices, ", "),
                              fmt::join(field.choices, "\", \"")));
}

void integer(SchemaWriter& out, const Field& field, std::string_view written) {
  if (!field.choices.empty()) {
    choices(out, field);
    return;
  }
  out.types({"integer", "string"});
  bounds(out, field.zero_word == "0" ? "0" : fmt::to_string(field.min), fmt::to_string(field.max));
  pattern(out, field, written);
}

// A duration needs a unit, so the only valid plain number is 0.
void duration(SchemaWriter& out, const Field& field) {
  if (field.zero_word == "0") {
    out.types({"integer", "string"});
    bounds(out, "0", "0");
  } else {
    out.text("type", "string");
  }
  pattern(out, field, "[0-9]+[dhms]");
}

void ratio(SchemaWriter& out, const Field& field) {
  out.types({"number", "string"});
  bounds(out, print_ratio(field.min), print_ratio(field.max));
  pattern(out, field, R"([0-9]+(\.[0-9]{1,6})?)");
}

// The loader takes any YAML scalar as a text.
void scalar(SchemaWriter& out) { out.types({"string", "number", "boolean"}); }

void entries(SchemaWriter& out, bool secrets_among_names) {
  out.text("type", "object");
  if (secrets_among_names) out.text("x-secret-names", secret_key_pattern());
  out.begin("additionalProperties");
  scalar(out);
  out.end();
}

void texts(SchemaWriter& out) {
  out.types({"array", "string", "number", "boolean"});
  out.begin("items");
  scalar(out);
  out.end();
}

// YAML takes the old words true and false as booleans.
void choice(SchemaWriter& out, const Field& field, std::span<const std::string_view> words) {
  if (field.old_words.empty()) return out.list("enum", words);
  out.types({"boolean", "string"});
  out.text("pattern", fmt::format("^({}|{})$", fmt::join(words, "|"),
                                  fmt::join(std::views::keys(field.old_words), "|")));
}

// A list, or one text with commas.
void words(SchemaWriter& out, const Field& field) {
  out.types({"array", "string"});
  out.text("pattern", fmt::format("^(({0})(,({0}))*)?$", fmt::join(field.words, "|")));
  out.begin("items");
  out.list("enum", field.words);
  out.end();
}

void values(SchemaWriter& out, const Field& field) {
  Config any;
  switch (field.type) {
    case FieldType::kInteger:
      return integer(out, field, "[0-9]+");
    case FieldType::kBytes:
      return integer(out, field, "[0-9]+ *(([kmgtKMGT][iI]?)?[bB])?");
    case FieldType::kDuration:
      return duration(out, field);
    case FieldType::kRatio:
      return ratio(out, field);
    case FieldType::kBool:
      out.types({"boolean", "string"});
      return out.text("pattern", "^(true|false)$");
    case FieldType::kEnum:
      return choice(out, field, std::get<EnumSlot>(field.slot(any)).words);
    case FieldType::kPointer:
      return out.text("pattern", "^/");
    case FieldType::kTopics:
    case FieldType::kHosts:
    case FieldType::kOrigins:
      return texts(out);
    case FieldType::kWords:
      return words(out, field);
    case FieldType::kTextMap:
      return entries(out, true);
    case FieldType::kPathMap:
      return entries(out, false);
    case FieldType::kPath:
    case FieldType::kSeed:
    case FieldType::kText:
    case FieldType::kTopic:
    case FieldType::kAddress:
    case FieldType::kAddressOrNone:
      return scalar(out);
  }
}

void property(SchemaWriter& out, const Field& field) {
  out.begin(leaf_of(field.key));
  out.text("description", field.help);
  const std::string value = print_value(field, Config{});
  if (!value.empty()) out.text("default", value);
  values(out, field);
  out.end();
}

// With those of the sections in it.
void properties(SchemaWriter& out, std::string_view section) {
  out.begin("properties");
  for (const Field& field : fields()) {
    if (section_of(field.key) == section) property(out, field);
  }
  for (const Section& inner : sections()) {
    if (inner.name.empty() || section_of(inner.name) != section) continue;
    out.begin(leaf_of(inner.name));
    out.text("description", inner.help);
    out.closed();
    properties(out, inner.name);
    out.end();
  }
  out.end();
}

}  // namespace

std::string schema_json() {
  SchemaWriter out;
  out.begin();
  out.text("$schema", "https://json-schema.org/draft/2020-12/schema");
  out.text("title", "Configuration of neardup");
  out.closed();
  properties(out, "");
  out.end();
  return out.str();
}

}  // namespace neardup
