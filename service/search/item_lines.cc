#include "service/search/item_lines.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "pipeline/base/json_object.h"
#include "pipeline/base/utf8.h"
#include "pipeline/text/normalise.h"
#include "simdjson.h"

namespace neardup {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::simdjson_error;

constexpr std::size_t kMostIdBytes = 1024;
constexpr std::size_t kMostWordBytes = std::size_t{1} << 30;
constexpr std::size_t kMostWords = 4096;
constexpr double kMostCoordinate = 1e15;  // distances of these are exact enough, and finite

// Why a value cannot be used; the reader adds the field.
struct Refusal {
  std::string why;
};

std::string names_of(const Schema& schema) {
  std::string names = schema.id;
  for (const FieldSpec& field : schema.fields) (names += names.empty() ? "" : ", ") += field.name;
  return names;
}

[[noreturn]] void refuse(std::string why) { throw Refusal{std::move(why)}; }

double number_of(ondemand::value value) {
  double number = 0;
  if (value.get_double().get(number) != simdjson::SUCCESS || !std::isfinite(number)) {
    refuse("this is no finite number");
  }
  return number;
}

std::string_view text_of(ondemand::value value) {
  std::string_view text;
  if (value.get_string().get(text) != simdjson::SUCCESS) {
    refuse("this is no string, or has an escape that is none");
  }
  if (text.empty()) refuse("the string is empty: remove the field from this line");
  return text;
}

std::string string_of(ondemand::value value) {
  const std::string_view text = text_of(value);
  const std::uint64_t characters = count_code_points(text);
  if (characters > kMostCharacters) {
    refuse(fmt::format("the string has {} characters, at most {} are compared: shorten it",
                       characters, kMostCharacters));
  }
  return std::string(text);
}

ondemand::array array_of(ondemand::value value, const char* what) {
  ondemand::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) refuse(fmt::format("this is no {}", what));
  return array;
}

void take_string(const FieldSpec& /*field*/, ondemand::value value, ItemReader::Of /*of*/,
                 Normaliser& /*normaliser*/, FieldValue& to) {
  to.text = string_of(value);
}

void take_category(const FieldSpec& /*field*/, ondemand::value value, ItemReader::Of /*of*/,
                   Normaliser& /*normaliser*/, FieldValue& to) {
  to.words = {string_of(value)};
}

// An array as it is; of a text its normalised tokens.
void take_words(const FieldSpec& /*field*/, ondemand::value value, ItemReader::Of /*of*/,
                Normaliser& normaliser, FieldValue& to) {
  if (value.type().value() == ondemand::json_type::string) {
    std::string tokens;
    const std::string_view text = text_of(value);
    tokens.resize(normaliser.normalise(text, kMostWordBytes, tokens).bytes);
    for (std::size_t begin = 0; begin < tokens.size();) {
      const std::size_t end = std::min(tokens.find(' ', begin), tokens.size());
      to.words.push_back(tokens.substr(begin, end - begin));
      begin = end + 1;
    }
  } else {
    for (auto word : array_of(value, "string, and no array of strings"))
      to.words.emplace_back(text_of(word.value()));
  }
  std::ranges::sort(to.words);
  const auto repeated = std::ranges::unique(to.words);
  to.words.erase(repeated.begin(), repeated.end());
  if (to.words.empty()) refuse("it has no words: remove the field from this line");
  if (to.words.size() > kMostWords) {
    refuse(fmt::format("it has {} different words, at most {} are compared", to.words.size(),
                       kMostWords));
  }
}

// Of an item a number within the limits; of a query also a range that meets them.
void take_number(const FieldSpec& field, ondemand::value value, ItemReader::Of of,
                 Normaliser& /*normaliser*/, FieldValue& to) {
  const bool range =
      of == ItemReader::Of::kQueries && value.type().value() == ondemand::json_type::array;
  if (!range) {
    to.from = to.to = number_of(value);
    if (to.from >= field.min && to.from <= field.max) return;
    refuse(
        fmt::format("{} is out of range: the schema says {} to {}", to.from, field.min, field.max));
  }
  std::vector<double> ends;
  for (auto end : array_of(value, "array")) ends.push_back(number_of(end.value()));
  if (ends.size() != 2 || ends[0] > ends[1])
    refuse("a range is an array of its least and its greatest number");
  if (ends[0] > field.max || ends[1] < field.min) {
    refuse(fmt::format("{} to {} is out of range: the schema says {} to {}", ends[0], ends[1],
                       field.min, field.max));
  }
  to.from = std::max(ends[0], field.min);
  to.to = std::min(ends[1], field.max);
}

void take_vector(const FieldSpec& field, ondemand::value value, ItemReader::Of /*of*/,
                 Normaliser& /*normaliser*/, FieldValue& to) {
  for (auto number : array_of(value, "array of numbers")) {
    const double found = number_of(number.value());
    if (std::abs(found) > kMostCoordinate)
      refuse(fmt::format("{} is out of range: at most {}", found, kMostCoordinate));
    to.vector.push_back(static_cast<float>(found));
  }
  if (to.vector.size() != field.dimensions) {
    refuse(fmt::format("the vector has {} numbers, the schema says {}", to.vector.size(),
                       field.dimensions));
  }
}

using Take = void (*)(const FieldSpec&, ondemand::value, ItemReader::Of, Normaliser&, FieldValue&);

// By kind.
constexpr std::array<Take, kFieldKindNames.size()> kTake{take_string, take_words, take_category,
                                                         take_number, take_vector};

}  // namespace

struct ItemReader::Impl {
  Impl(const Schema& of, Of lines) : schema(of), what(lines) {}

  const Schema& schema;
  Of what;
  Normaliser normaliser;
  ondemand::parser parser;
  simdjson::padded_string padded;

  std::string take_fields(ondemand::object object, Item& item);
  std::string take(std::string_view key, ondemand::value value, Item& item);
  std::string where_broken(std::string_view line) const;
};

ItemReader::ItemReader(const Schema& schema, Of what)
    : impl_(std::make_unique<Impl>(schema, what)) {}
ItemReader::~ItemReader() = default;

namespace {

std::string in_field(std::string_view field, std::string_view why) {
  return fmt::format("field {}: {}", json_text(field), why);
}

}  // namespace

std::string ItemReader::Impl::take(std::string_view key, ondemand::value value, Item& item) {
  if (!schema.id.empty() && key == schema.id) {
    std::string_view id;
    if (value.get_string().get(id) != simdjson::SUCCESS || id.empty() || id.size() > kMostIdBytes)
      refuse(fmt::format("an id is a string of 1 to {} bytes", kMostIdBytes));
    if (!item.id.empty()) refuse("it stands twice in the line: remove one");
    item.id = id;
    return {};
  }
  const auto field = std::ranges::find(schema.fields, key, &FieldSpec::name);
  if (field == schema.fields.end()) {
    if (schema.ignore_unknown) return {};
    refuse(
        fmt::format("the schema has no such field, only {}: remove it, or set "
                    "\"unknown_fields\": \"ignore\" in the schema",
                    names_of(schema)));
  }
  FieldValue& to = item.values[static_cast<std::size_t>(field - schema.fields.begin())];
  if (to.given) refuse("it stands twice in the line: remove one");
  if (value.is_null()) return {};
  to.given = true;
  kTake[static_cast<std::size_t>(field->kind)](*field, value, what, normaliser, to);
  return {};
}

std::string ItemReader::Impl::take_fields(ondemand::object object, Item& item) {
  for (auto entry : object) {
    std::string key;
    try {
      key = std::string(entry.unescaped_key().value());
      take(key, entry.value().value(), item);
    } catch (const Refusal& refusal) {
      return in_field(key, refusal.why);
    } catch (const simdjson_error& error) {
      return key.empty() ? error.what() : in_field(key, error.what());
    }
  }
  return {};
}

// The last field before the first ill-formed byte.
std::string ItemReader::Impl::where_broken(std::string_view line) const {
  std::size_t good = 0;
  std::size_t bad = line.size();
  while (good + 1 < bad) {
    const std::size_t middle = good + (bad - good) / 2;
    std::size_t end = middle;
    while (end > good && end < line.size() && continues_code_point(line[end])) --end;
    if (end > good && valid_utf8(line.substr(0, end))) {
      good = end;
    } else if (end == good) {
      break;
    } else {
      bad = middle;
    }
  }
  std::pair<std::size_t, std::string_view> last{0, {}};
  for (const FieldSpec& field : schema.fields) {
    const std::size_t at = line.substr(0, good).rfind(json_text(field.name));
    if (at != std::string_view::npos) last = std::max(last, {at + 1, field.name});
  }
  const std::string why = fmt::format("ill-formed UTF-8 at or after byte {} of the line", good + 1);
  return last.first == 0 ? why : in_field(last.second, why);
}

std::string ItemReader::read(std::string_view line, Item& item) {
  item.id.clear();
  item.values.assign(impl_->schema.fields.size(), {});
  if (!valid_utf8(line)) return impl_->where_broken(line);
  try {
    impl_->padded = simdjson::padded_string(line);
    ondemand::document document = impl_->parser.iterate(impl_->padded);
    std::string problem = impl_->take_fields(document.get_object().value(), item);
    if (!problem.empty()) return problem;
    if (document.current_location().error() == simdjson::SUCCESS)
      return "something follows after the JSON object";
  } catch (const simdjson_error& error) {
    return fmt::format("no JSON object: {}", error.what());
  }
  if (!impl_->schema.id.empty() && impl_->what == Of::kItems && item.id.empty())
    return in_field(impl_->schema.id, "it is missing, and each item needs its id");
  if (std::ranges::none_of(item.values, &FieldValue::given)) {
    std::string names;
    for (const FieldSpec& field : impl_->schema.fields)
      (names += names.empty() ? "" : ", ") += json_text(field.name);
    return fmt::format("the line has none of the fields {}", names);
  }
  return {};
}

namespace {

std::string distance_json(FieldKind kind, double distance) {
  return kind == FieldKind::kString ? fmt::format("{:.0f}", distance)
                                    : fmt::format("{:.6g}", distance);
}

std::string hit_json(const ItemHit& hit, const ItemSearch& search) {
  JsonObject json;
  json.number("item", std::uint64_t{hit.item} + 1);
  if (!search.schema().id.empty()) json.text("id", search.id(hit.item));
  json.number("count", hit.score);
  const std::vector<FieldSpec>& fields = search.schema().fields;
  if (fields.size() == 1 && hit.distances[0])
    return json.json("distance", distance_json(fields[0].kind, *hit.distances[0])).str();
  std::string distances;
  for (std::size_t i = 0; i < hit.distances.size(); ++i) {
    if (!hit.distances[i]) continue;
    distances += fmt::format("{}{}:{}", distances.empty() ? "" : ",", json_text(fields[i].name),
                             distance_json(fields[i].kind, *hit.distances[i]));
  }
  if (!distances.empty()) json.json("distances", "{" + distances + "}");
  return json.str();
}

}  // namespace

std::string answer_json(const ItemAnswer& answer, const ItemSearch& search) {
  JsonObject json;
  json.json("hits",
            json_list(answer.hits, [&](const ItemHit& hit) { return hit_json(hit, search); }));
  return json.boolean("certain", answer.certain).str();
}

}  // namespace neardup
