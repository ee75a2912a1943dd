#include "config/show.h"

#include <fmt/core.h>

#include <algorithm>

#include "config/fields.h"
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

std::string yaml_value(const Field& field, const Config& config) {
  const std::string value = print_value(field, config);
  const bool text = field.type == FieldType::kPath || field.type == FieldType::kPointer;
  // A seed of digits only is text too.
  return text || field.type == FieldType::kSeed ? yaml_text(value) : value;
}

std::string line(const Field& field, const Config& config) {
  const std::string_view name = leaf_of(field.key);
  if (field.type == FieldType::kSeed) {
    if (!config.seed_file.empty()) return fmt::format("# {}: (from seed_file)", name);
    if (config.sketch.seed != Seed{}) return fmt::format("# {}: (secret)", name);
  }
  return fmt::format("{}: {}", name, yaml_value(field, config));
}

}  // namespace

std::string show_config(const Config& config) {
  std::string yaml;
  for (const Section& section : sections()) {
    if (!section.name.empty()) yaml += fmt::format("{}:\n", section.name);
    for (const Field& field : fields()) {
      if (section_of(field.key) != section.name) continue;
      yaml += fmt::format("{}{}\n", section.name.empty() ? "" : "  ", line(field, config));
    }
  }
  return yaml;
}

}  // namespace neardup
