#include "config/show.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "config/fields.h"
#include "config/librdkafka_keys.h"
#include "config/values.h"

namespace neardup {
namespace {

bool plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
         c == '_' || c == '.' || c == '-';
}

// A YAML scalar that reads back as `text`.
std::string yaml_text(const std::string& text) {
  if (text.starts_with('/') && std::ranges::all_of(text, plain)) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == '\x7f') {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string yaml_list(const std::vector<std::string>& items) {
  std::string list;
  for (const std::string& item : items) list += (list.empty() ? "" : ", ") + yaml_text(item);
  return '[' + list + ']';
}

// `hide`: a comment replaces each secret value.
std::string yaml_map(const TextMap& map, bool hide) {
  if (map.empty()) return "{}";
  std::string lines;
  for (const auto& [key, value] : map) {
    lines += hide && is_secret_key(key)
                 ? fmt::format("\n    # {}: (secret)", key)
                 : fmt::format("\n    {}: {}", yaml_text(key), yaml_text(value));
  }
  return lines;
}

std::string yaml_value(const Field& field, const Config& config) {
  Config copy = config;  // slots need a Config that is not const
  const Slot slot = field.slot(copy);
  if (const auto* list = std::get_if<std::vector<std::string>*>(&slot)) return yaml_list(**list);
  if (const auto* map = std::get_if<TextMap*>(&slot)) {
    return yaml_map(**map, field.type == FieldType::kTextMap);
  }
  const std::string value = print_value(field, config);
  // A seed is quoted, as it may consist of digits only.
  const bool text = std::holds_alternative<std::string*>(slot) || field.type == FieldType::kSeed;
  return text ? yaml_text(value) : value;
}

std::string line(const Field& field, const Config& config) {
  const std::string_view name = leaf_of(field.key);
  if (field.type == FieldType::kSeed) {
    if (!config.seed_file.empty()) return fmt::format("# {}: (from seed_file)", name);
    if (config.sketch.seed != Seed{}) return fmt::format("# {}: (secret)", name);
  }
  const std::string value = yaml_value(field, config);
  return fmt::format("{}:{}{}", name, value.starts_with('\n') ? "" : " ", value);
}

}  // namespace

std::string show_config(const Config& config) {
  std::string yaml;
  for (const Section& section : sections()) {
    std::string indent;
    if (!section.name.empty()) {
      indent =
          std::string(2 * static_cast<std::size_t>(std::ranges::count(section.name, '.')), ' ');
      yaml += fmt::format("{}{}:\n", indent, leaf_of(section.name));
      indent += "  ";
    }
    for (const Field& field : fields()) {
      if (section_of(field.key) == section.name) yaml += indent + line(field, config) + "\n";
    }
  }
  return yaml;
}

}  // namespace neardup
