#include "config/values.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "config/texts.h"
#include "config/units.h"

namespace neardup {
namespace {

template <typename... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <typename... F>
Overloaded(F...) -> Overloaded<F...>;

constexpr std::string_view kTopicRule = "1 to 249 letters, digits, dots, underscores or hyphens";

std::optional<std::uint64_t> parse_number(const Field& field, std::string_view text) {
  if (!field.zero_word.empty() && text == field.zero_word) return 0;
  const auto value = field.type == FieldType::kBytes      ? parse_bytes(text)
                     : field.type == FieldType::kDuration ? parse_duration(text)
                     : field.type == FieldType::kRatio    ? parse_ratio(text)
                                                          : parse_integer(text);
  if (!value || *value < field.min || *value > field.max) return std::nullopt;
  const bool allowed =
      field.choices.empty() || std::ranges::find(field.choices, *value) != field.choices.end();
  return allowed ? value : std::nullopt;
}

template <typename Number>
bool store_number(const Field& field, std::string_view text, Number* place) {
  const auto value = parse_number(field, text);
  if (value) *place = static_cast<Number>(*value);
  return value.has_value();
}

bool store_bool(std::string_view text, bool* place) {
  if (text != "true" && text != "false") return false;
  *place = text == "true";
  return true;
}

bool store_word(const Field& field, std::string_view text, const EnumSlot& slot) {
  const auto old = std::ranges::find(field.old_words, text,
                                     &std::pair<std::string_view, std::string_view>::first);
  const std::string_view word = old == field.old_words.end() ? text : old->second;
  const auto found = std::ranges::find(slot.words, word);
  if (found == slot.words.end()) return false;
  *slot.value = static_cast<std::uint8_t>(found - slot.words.begin());
  return true;
}

bool store_text(const Field& field, std::string_view text, std::string* place) {
  if (!valid_text(field, text)) return false;
  *place = text;
  return true;
}

// Items with commas between them; an empty text is an empty list.
bool store_list(const Field& field, std::string_view text, std::vector<std::string>* place) {
  std::vector<std::string> items;
  for (bool more = !text.empty(); more;) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view item = text.substr(0, comma);
    if (!valid_text(field, item) || std::ranges::find(items, item) != items.end()) return false;
    items.emplace_back(item);
    more = comma != text.size();
    text.remove_prefix(more ? comma + 1 : comma);
  }
  *place = std::move(items);
  return true;
}

bool store_seed(std::string_view text, Seed* place) {
  const auto seed = parse_seed(text);
  if (seed) *place = *seed;
  return seed.has_value();
}

std::string print_number(const Field& field, std::uint64_t value) {
  if (value == 0 && !field.zero_word.empty()) return std::string(field.zero_word);
  if (field.type == FieldType::kBytes) return print_bytes(value);
  if (field.type == FieldType::kDuration) return print_duration(value);
  if (field.type == FieldType::kRatio) return print_ratio(value);
  return fmt::to_string(value);
}

// "a, b or c"
template <typename Items>
std::string any_of(const Items& items) {
  std::string last = fmt::format("{}", items.back());
  if (items.size() == 1) return last;
  const auto front = std::span(items).first(items.size() - 1);
  return fmt::format("{} or {}", fmt::join(front, ", "), last);
}

std::string describe_integer(const Field& field) {
  if (!field.choices.empty()) return any_of(field.choices);
  return fmt::format("a whole number from {} to {}", field.min, field.max);
}

std::string describe_number(const Field& field) {
  switch (field.type) {
    case FieldType::kBytes:
      return fmt::format("a size from {} to {}, such as 4096, 64KiB or 1MB", print_bytes(field.min),
                         print_bytes(field.max));
    case FieldType::kDuration:
      return fmt::format("a duration from {} to {}, such as 90m, 36h or 7d",
                         print_duration(field.min), print_duration(field.max));
    case FieldType::kRatio:
      return fmt::format("a decimal from {} to {} with at most 6 decimals", print_ratio(field.min),
                         print_ratio(field.max));
    default:
      return describe_integer(field);
  }
}

std::string describe_text(const Field& field) {
  return fmt::format("a text of at most {} bytes", field.max);
}

}  // namespace

std::optional<Seed> parse_seed(std::string_view text) {
  if (text.size() != 32) return std::nullopt;
  Seed seed;
  for (const auto& [word, half] :
       {std::pair(&seed.s0, text.substr(0, 16)), {&seed.s1, text.substr(16)}}) {
    const auto [end, error] = std::from_chars(half.data(), half.data() + half.size(), *word, 16);
    if (error != std::errc() || end != half.data() + half.size()) return std::nullopt;
  }
  return seed;
}

bool parse_value(const Field& field, std::string_view text, Config& config) {
  return std::visit(
      Overloaded{[&](bool* place) { return store_bool(text, place); },
                 [&](std::string* place) { return store_text(field, text, place); },
                 [&](Seed* place) { return store_seed(text, place); },
                 [&](std::vector<std::string>* place) { return store_list(field, text, place); },
                 [](TextMap*) { return false; },
                 [&](const EnumSlot& slot) { return store_word(field, text, slot); },
                 [&](auto* number) { return store_number(field, text, number); }},
      field.slot(config));
}

bool parse_entry(const Field& map, std::string_view name, std::string_view text, Config& config) {
  if (!valid_entry_name(name) || !valid_text(map, text)) return false;
  (*std::get<TextMap*>(map.slot(config)))[std::string(name)] = text;
  return true;
}

std::string print_value(const Field& field, const Config& config) {
  Config copy = config;  // slots need a Config that is not const
  return std::visit(
      Overloaded{[](const bool* value) { return std::string(*value ? "true" : "false"); },
                 [](const std::string* value) { return *value; },
                 [](const Seed* seed) { return fmt::format("{:016x}{:016x}", seed->s0, seed->s1); },
                 [](const EnumSlot& slot) { return std::string(slot.words[*slot.value]); },
                 [](const std::vector<std::string>* items) {
                   return fmt::format("{}", fmt::join(*items, ","));
                 },
                 [](const TextMap*) { return std::string(); },
                 [&](const auto* number) { return print_number(field, *number); }},
      field.slot(copy));
}

std::string describe_entry(const Field& map) {
  return map.type == FieldType::kPathMap ? "a path" : describe_text(map);
}

std::string describe_values(const Field& field) {
  Config any;
  switch (field.type) {
    case FieldType::kInteger:
    case FieldType::kBytes:
    case FieldType::kDuration:
    case FieldType::kRatio:
      return (field.zero_word.empty() ? "" : fmt::format("{} or ", field.zero_word)) +
             describe_number(field);
    case FieldType::kBool:
      return "true or false";
    case FieldType::kEnum:
      return any_of(std::get<EnumSlot>(field.slot(any)).words);
    case FieldType::kPointer:
      return "a JSON pointer such as /page/body";
    case FieldType::kPath:
      return "a path";
    case FieldType::kSeed:
      return "32 hexadecimal digits";
    case FieldType::kText:
      return describe_text(field);
    case FieldType::kTopic:
      return fmt::format("a topic name: {}", kTopicRule);
    case FieldType::kTopics:
      return fmt::format("different topic names: {}", kTopicRule);
    case FieldType::kWords:
      return fmt::format("a list of these words: {}", fmt::join(field.words, ", "));
    case FieldType::kHosts:
      return "different names or addresses without ports, such as dedup.example.org or [fd00::1]";
    case FieldType::kOrigins:
      return "different origins, such as https://ui.example.org or http://localhost:3000, as "
             "browsers send them: in lower case, without a path and without port 80 of http or 443 "
             "of https; `*` would allow every page";
    case FieldType::kAddress:
    case FieldType::kAddressOrNone:
      return "HOST:PORT such as 127.0.0.1:8080 or [::1]:8080";
    case FieldType::kTextMap:
    case FieldType::kPathMap:
      return "keys, each with " + describe_entry(field);
  }
  return {};
}

}  // namespace neardup
