#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "pipeline/base/enum_name.h"
#include "pipeline/base/failure.h"
#include "pipeline/base/json_object.h"
#include "service/file/text_file.h"
#include "service/search/item_lines.h"
#include "simdjson.h"

namespace neardup {
namespace {

constexpr std::uint64_t kMostSchemaBytes = 1 << 20;

class SchemaParser {
 public:
  explicit SchemaParser(std::string path) : path_(std::move(path)) {}

  Schema parse() {
    const std::string text = read_text_file(path_, kMostSchemaBytes);
    simdjson::dom::parser parser;
    simdjson::dom::element top;
    if (const auto error = parser.parse(text).get(top)) fail("", simdjson::error_message(error));
    Schema schema;
    for (const auto& [key, value] : object(top, "")) {
      if (key == "id") {
        schema.id = text_of(value, key);
      } else if (key == "unknown_fields") {
        schema.ignore_unknown = word(value, key, kUnknown) == 1;
      } else if (key == "fields") {
        add_fields(value, schema);
      } else {
        fail(key, "no key of a schema; these are id, fields and unknown_fields");
      }
    }
    if (schema.fields.empty() || schema.fields.size() > kMostFields)
      fail("fields", fmt::format("give 1 to {} fields", kMostFields));
    if (std::ranges::count(schema.fields, schema.id, &FieldSpec::name) != 0)
      fail("fields." + schema.id, "this is the name of the field of ids, too: give it another one");
    return schema;
  }

 private:
  using Element = simdjson::dom::element;
  static constexpr std::array<std::string_view, 2> kUnknown{"refuse", "ignore"};

  [[noreturn]] void fail(std::string_view where, std::string_view why) const {
    throw Failure(Exit::kConfig, where.empty() ? fmt::format("{}: {}", path_, why)
                                               : fmt::format("{}: {}: {}", path_, where, why));
  }

  simdjson::dom::object object(Element value, std::string_view where) const {
    simdjson::dom::object object;
    if (value.get(object) != simdjson::SUCCESS) fail(where, "this is no JSON object");
    return object;
  }

  std::string text_of(Element value, std::string_view where) const {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS || text.empty()) fail(where, "give a string");
    return std::string(text);
  }

  std::size_t word(Element value, std::string_view where,
                   std::span<const std::string_view> words) const {
    const std::string text = text_of(value, where);
    const auto found = std::ranges::find(words, text);
    if (found == words.end()) {
      std::string all;
      for (const std::string_view one : words) (all += all.empty() ? "" : ", ") += one;
      fail(where, fmt::format("{} is none of {}", json_text(text), all));
    }
    return static_cast<std::size_t>(found - words.begin());
  }

  double number(Element value, std::string_view where, double least, double most) const {
    double number = 0;
    if (value.get(number) != simdjson::SUCCESS || !(number >= least && number <= most))
      fail(where, fmt::format("give a number from {} to {}", least, most));
    return number;
  }

  std::uint32_t whole(Element value, std::string_view where, double least, double most) const {
    const double found = number(value, where, least, most);
    if (found != std::floor(found)) fail(where, "give a whole number");
    return static_cast<std::uint32_t>(found);
  }

  void add_fields(Element value, Schema& schema) const {
    std::set<std::string> names;
    for (const auto& [name, spec] : object(value, "fields")) {
      if (name.empty() || !names.emplace(name).second)
        fail(fmt::format("fields.{}", name), "each field needs a name that no other field has");
      schema.fields.push_back(field(std::string(name), spec));
    }
  }

  FieldSpec field(std::string name, Element value) const {
    const std::string where = "fields." + name;
    FieldSpec field{.name = std::move(name)};
    Element kind;
    const simdjson::dom::object spec = object(value, where);
    if (spec["kind"].get(kind) != simdjson::SUCCESS) fail(where, "its \"kind\" is missing");
    field.kind = static_cast<FieldKind>(word(kind, where + ".kind", kFieldKindNames));
    for (const auto& [key, setting] : spec) {
      if (key != "kind") set(field, key, setting, fmt::format("{}.{}", where, key));
    }
    require(field, where);
    return field;
  }

  void set(FieldSpec& field, std::string_view key, Element value, const std::string& where) const {
    constexpr double kLarge = 1e15;  // whole numbers up to this are exact
    const FieldKind kind = field.kind;
    if (key == "weight") {
      field.weight = whole(value, where, 1, kMostScore);
    } else if (kind == FieldKind::kString && key == "gram") {
      field.gram = whole(value, where, 1, kMostGram);
    } else if (kind == FieldKind::kNumber && key == "min") {
      field.min = number(value, where, -kLarge, kLarge);
    } else if (kind == FieldKind::kNumber && key == "max") {
      field.max = number(value, where, -kLarge, kLarge);
    } else if (kind == FieldKind::kNumber && key == "bucket") {
      field.bucket = number(value, where, 1e-9, kLarge);
    } else if (kind == FieldKind::kVector && key == "dimensions") {
      field.dimensions = whole(value, where, 1, kMostDimensions);
    } else if (kind == FieldKind::kVector && key == "family") {
      field.family = static_cast<VectorFamily>(word(value, where, kVectorFamilyNames));
    } else if (kind == FieldKind::kVector && key == "functions") {
      field.functions = whole(value, where, 1, kMostScore);
    } else if (kind == FieldKind::kVector && key == "width") {
      field.width = number(value, where, 1e-9, kLarge);
    } else {
      fail(where, fmt::format("no setting of the kind {}", neardup::name(kind)));
    }
  }

  void require(const FieldSpec& field, const std::string& where) const {
    if (field.kind == FieldKind::kNumber && !(field.min < field.max))
      fail(where, "give \"min\" and a greater \"max\"");
    if (field.kind == FieldKind::kNumber &&
        (field.max - field.min) / field.bucket >= kMostBuckets) {
      fail(where, fmt::format("there are more than {} buckets: widen \"bucket\"", kMostBuckets));
    }
    if (field.kind == FieldKind::kVector && field.dimensions == 0)
      fail(where, "give \"dimensions\"");
  }

  std::string path_;
};

}  // namespace

Schema read_schema(const std::string& path) { return SchemaParser(path).parse(); }

}  // namespace neardup
