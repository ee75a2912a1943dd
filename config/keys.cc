// Look-ups by key over the table of config/fields.cc.
#include <algorithm>
#include <array>

#include "config/fields.h"

namespace neardup {
namespace {

constexpr std::array<Section, 11> kSections{{
    {"", "What decides, and where it runs"},
    {"input", "Records"},
    {"text", "Normalising text"},
    {"shingle", "Cutting text into shingles"},
    {"sketch", "Sketches"},
    {"lsh", "Finding candidates"},
    {"filter", "Filters before verification"},
    {"verify", "Judging candidates"},
    {"cpu", "The CPU backend; nothing here changes a flag"},
    {"batch", "Batches; nothing here changes a flag"},
    {"storage", "State"},
}};

// Keys of the contract whose parts are not built yet.
constexpr std::array<std::string_view, 25> kLaterKeys{"output.mode",
                                                      "batch.in_flight",
                                                      "batch.linger_ms",
                                                      "retention.max_age",
                                                      "retention.max_documents",
                                                      "retention.max_bytes",
                                                      "retention.max_step",
                                                      "gpu.device",
                                                      "gpu.memory",
                                                      "shutdown.drain_seconds",
                                                      "kafka.brokers",
                                                      "kafka.topics",
                                                      "kafka.group_id",
                                                      "kafka.output_topic",
                                                      "kafka.dead_letter_topic",
                                                      "kafka.instance",
                                                      "kafka.instances",
                                                      "kafka.guarantee",
                                                      "kafka.start",
                                                      "kafka.secrets",
                                                      "kafka.librdkafka",
                                                      "http.listen",
                                                      "http.token_file",
                                                      "log.format",
                                                      "log.level"};

}  // namespace

const Field* find_field(std::string_view key) {
  const auto at = std::ranges::find(fields(), key, &Field::key);
  return at == fields().end() ? nullptr : &*at;
}

std::span<const Section> sections() { return kSections; }

std::string_view section_of(std::string_view key) {
  const std::size_t dot = key.find('.');
  return dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
}

std::string_view leaf_of(std::string_view key) {
  return key.substr(key.rfind('.') + 1);  // npos + 1 is 0
}

bool is_section(std::string_view path) {
  return !path.empty() && std::ranges::find(kSections, path, &Section::name) != kSections.end();
}

std::span<const std::string_view> later_keys() { return kLaterKeys; }

bool is_later_section(std::string_view path) {
  return !path.empty() && !is_section(path) &&
         std::ranges::find(kLaterKeys, path, section_of) != kLaterKeys.end();
}

bool is_later_key(std::string_view path) {
  return std::ranges::find(kLaterKeys, path) != kLaterKeys.end() || is_later_section(path) ||
         is_later_section(section_of(path));
}

std::string environment_name(std::string_view key) {
  std::string variable = "NEARDUP_";
  for (const char c : key) {
    variable += c == '.' ? '_' : (c >= 'a' && c <= 'z') ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return variable;
}

}  // namespace neardup
