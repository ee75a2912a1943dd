// Look-ups by key over the table of config/fields.cc.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "config/fields.h"

namespace neardup {
namespace {

constexpr std::array<Section, 23> kSections{{
    {"", "What decides, and where it runs"},
    {"input", "Records"},
    {"output", "Flags, and what a service writes"},
    {"text", "Normalising text"},
    {"shingle", "Cutting text into shingles"},
    {"sketch", "Sketches"},
    {"lsh", "Finding candidates"},
    {"filter", "Filters before verification"},
    {"verify", "Judging candidates"},
    {"cpu", "The CPU backend; nothing here changes a flag"},
    {"gpu", "The CUDA backend; nothing here changes a flag"},
    {"batch", "Batches; nothing here changes a flag"},
    {"storage", "State"},
    {"retention", "What is forgotten"},
    {"similar", "Searches for similar documents; nothing here changes a flag"},
    {"kafka", "Kafka, for a service"},
    {"cluster", "Being part of a cluster (docs/cluster.md)"},
    {"cluster.log", "Its log"},
    {"http", "The HTTP port of a service"},
    {"http.tls", "TLS of that port"},
    {"backup", "Backups that a service makes of its state"},
    {"log", "Messages of a service"},
    {"shutdown", "Stopping a service"},
}};

bool is_map(const Field& field) {
  return field.type == FieldType::kTextMap || field.type == FieldType::kPathMap;
}

std::string entry_name(std::string_view variable) {
  std::string name;
  for (const char c : variable) {
    name += c == '_' ? '.' : (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return name;
}

}  // namespace

bool is_list(FieldType type) {
  return type == FieldType::kTopics || type == FieldType::kWords || type == FieldType::kHosts ||
         type == FieldType::kOrigins;
}

const Field* find_field(std::string_view key) {
  const auto at = std::ranges::find(fields(), key, &Field::key);
  return at == fields().end() ? nullptr : &*at;
}

std::span<const Section> sections() { return kSections; }

std::string_view section_of(std::string_view key) {
  const std::size_t dot = key.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
}

std::string_view leaf_of(std::string_view key) {
  return key.substr(key.rfind('.') + 1);  // npos + 1 is 0
}

bool is_section(std::string_view path) {
  if (const Field* field = find_field(path)) return is_map(*field);
  return !path.empty() && std::ranges::find(kSections, path, &Section::name) != kSections.end();
}

const Field* map_of(std::string_view key) {
  const auto holds = [&](const Field& field) {
    return is_map(field) && key.starts_with(field.key) &&
           key.substr(field.key.size()).starts_with('.');
  };
  const auto at = std::ranges::find_if(fields(), holds);
  return at == fields().end() ? nullptr : &*at;
}

std::string environment_name(std::string_view key) {
  std::string variable = "NEARDUP_";
  for (const char c : key) {
    variable += c == '.' ? '_' : (c >= 'a' && c <= 'z') ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return variable;
}

std::string key_of_variable(std::string_view variable) {
  const auto names_it = [&](std::string_view key) { return environment_name(key) == variable; };
  const auto at = std::ranges::find_if(fields(), names_it, &Field::key);
  if (at != fields().end()) return std::string(at->key);
  for (const Field& field : fields()) {
    const std::string prefix = environment_name(field.key) + "_";
    if (!is_map(field) || !variable.starts_with(prefix)) continue;
    return fmt::format("{}.{}", field.key, entry_name(variable.substr(prefix.size())));
  }
  return {};
}

}  // namespace neardup
