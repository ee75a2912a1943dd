#include "config/load.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <map>

#include "config/checks.h"
#include "config/diagnostics.h"
#include "config/fields.h"
#include "config/load_yaml.h"
#include "config/read_start.h"
#include "config/suggest.h"
#include "config/texts.h"
#include "config/values.h"

namespace neardup {
namespace {

constexpr std::string_view kVariablePrefix = "NEARDUP_";

std::string did_you_mean(std::string_view similar) {
  return similar.empty() ? std::string() : fmt::format(", did you mean `{}`?", similar);
}

// Collects the values of all sources; a later source overrides an earlier one.
class Loader {
 public:
  explicit Loader(const LoadRequest& request)
      : request_(request), config_(request.base != nullptr ? *request.base : Config()) {
    config_.storage.temporary = request.temporary_state;
  }

  void file_problem(std::string_view message) { problems_.add(*request_.file, message); }
  void load_file(std::string_view yaml);
  void load_environment();
  void load_sets();
  LoadResult finish();

 private:
  void load_entry(const YamlEntry& entry);
  void open_section(const YamlEntry& entry, const std::string& where);
  void load_list(const YamlEntry& entry, const std::string& where);
  bool load_item(const Field& field, const YamlItem& item, std::map<std::string_view, int>& lines);
  void no_value(const YamlEntry& entry, const std::string& where);
  void load_variable(const std::string& name, const std::string& value);
  void set(std::string_view key, std::string_view value, const std::string& where);
  void set_entry(const Field& map, std::string_view key, std::string_view value,
                 const std::string& where);
  void wrong_entry(const Field& map, std::string_view key, std::string_view what,
                   const std::string& where);
  void wrong_value(const Field& field, std::string_view what, const std::string& where);
  void unknown_key(std::string_view key, const std::string& where);
  std::string line(int number) const { return fmt::format("{}:{}", *request_.file, number); }

  const LoadRequest& request_;
  Config config_;
  Origins origins_;
  Problems problems_;
  std::vector<std::string> warnings_;
  std::map<std::string, int, std::less<>> first_lines_;  // of the paths in the file
  std::string skipped_;         // prefix of a section that was reported: "shingles."
  bool kafka_section_ = false;  // in the file
};

void Loader::load_file(std::string_view yaml) {
  const YamlEntries read = read_yaml(yaml);
  for (const YamlEntry& entry : read.entries) load_entry(entry);
  if (!read.problem.empty()) problems_.add(line(read.problem_line), read.problem);
}

void Loader::load_entry(const YamlEntry& entry) {
  if (!skipped_.empty() && entry.path.starts_with(skipped_)) return;
  skipped_.clear();
  const std::string where = line(entry.line);
  kafka_section_ = kafka_section_ || entry.path == "kafka";
  const auto [first, is_new] = first_lines_.emplace(entry.path, entry.line);
  if (!is_new) {
    problems_.add(where, fmt::format("key {} occurs twice, first on line {}", quote(entry.path),
                                     first->second));
    if (!is_section(entry.path)) return;
  }
  switch (entry.kind) {
    case YamlEntry::Kind::kSection:
      return open_section(entry, where);
    case YamlEntry::Kind::kValue:
      return set(entry.path, entry.value, where);
    case YamlEntry::Kind::kNothing:
      if (is_section(entry.path)) return;  // all its keys are commented out
      return no_value(entry, where);
    case YamlEntry::Kind::kList:
      return load_list(entry, where);
  }
}

void Loader::open_section(const YamlEntry& entry, const std::string& where) {
  if (is_section(entry.path)) return;
  skipped_ = entry.path + ".";
  if (const Field* map = map_of(entry.path)) {
    wrong_entry(*map, entry.path, ", not a section", where);
  } else if (const Field* field = find_field(entry.path)) {
    wrong_value(*field, ", not a section", where);
  } else if (const auto similar = similar_section(entry.path); !similar.empty()) {
    problems_.add(
        where, fmt::format("unknown section {}, did you mean `{}`?", quote(entry.path), similar));
  } else {
    unknown_key(entry.path, where);
  }
}

void Loader::no_value(const YamlEntry& entry, const std::string& where) {
  const std::string_view what =
      entry.kind == YamlEntry::Kind::kList ? ", not a list" : "; it has no value";
  if (const Field* map = map_of(entry.path)) return wrong_entry(*map, entry.path, what, where);
  const Field* field = find_field(entry.path);
  if (field == nullptr || is_section(entry.path)) return unknown_key(entry.path, where);
  wrong_value(*field, what, where);
}

void Loader::load_list(const YamlEntry& entry, const std::string& where) {
  const Field* field = find_field(entry.path);
  if (field == nullptr || !is_list(field->type)) return no_value(entry, where);
  std::map<std::string_view, int> lines;
  std::vector<std::string> texts;
  for (const YamlItem& item : entry.items) {
    if (load_item(*field, item, lines)) texts.push_back(*item.text);
  }
  *std::get<std::vector<std::string>*>(field->slot(config_)) = std::move(texts);
  origins_.given[entry.path] = where;
}

bool Loader::load_item(const Field& field, const YamlItem& item,
                       std::map<std::string_view, int>& lines) {
  const std::string where = line(item.line);
  if (!item.text || !valid_text(field, *item.text)) {
    wrong_value(field, item.text ? fmt::format(", not {}", quote(*item.text)) : ", each a text",
                where);
    return false;
  }
  const auto [first, is_new] = lines.emplace(*item.text, item.line);
  if (is_new) return true;
  origins_.broken.emplace(field.key);
  problems_.add(where, fmt::format("{} occurs twice in `{}`, first on line {}", quote(*item.text),
                                   field.key, first->second));
  return false;
}

void Loader::set(std::string_view key, std::string_view value, const std::string& where) {
  if (const Field* map = map_of(key)) return set_entry(*map, key, value, where);
  const Field* field = find_field(key);
  if (field == nullptr || is_section(key)) return unknown_key(key, where);
  if (parse_value(*field, value, config_)) {
    origins_.given[std::string(key)] = where;
  } else {
    const bool secret = field->type == FieldType::kSeed;
    wrong_value(*field, secret ? "" : fmt::format(", not {}", quote(value)), where);
  }
}

void Loader::set_entry(const Field& map, std::string_view key, std::string_view value,
                       const std::string& where) {
  if (parse_entry(map, key.substr(map.key.size() + 1), value, config_)) {
    origins_.given[std::string(key)] = where;
  } else {
    wrong_entry(map, key, "", where);
  }
}

// Leaves the value out of the message: it may be a secret.
void Loader::wrong_entry(const Field& map, std::string_view key, std::string_view what,
                         const std::string& where) {
  origins_.broken.emplace(key);
  const std::string_view name = key.substr(map.key.size() + 1);
  if (valid_entry_name(name)) {
    problems_.add(where, fmt::format("{} must be {}{}", quote(key), describe_entry(map), what));
  } else {
    problems_.add(
        where,
        fmt::format("{} in `{}` is not a key: use letters, digits, dots, underscores or hyphens",
                    quote(name), map.key));
  }
}

void Loader::wrong_value(const Field& field, std::string_view what, const std::string& where) {
  origins_.broken.emplace(field.key);
  problems_.add(where, fmt::format("`{}` must be {}{}", field.key, describe_values(field), what));
}

void Loader::unknown_key(std::string_view key, const std::string& where) {
  if (problems_.full()) return problems_.add(where, {});
  if (is_section(key)) {
    problems_.add(where, fmt::format("`{}` is a section; set the keys in it", key));
  } else {
    problems_.add(where,
                  fmt::format("unknown key {}{}", quote(key), did_you_mean(similar_key(key))));
  }
}

void Loader::load_environment() {
  for (const auto& [name, value] : request_.environment) {
    if (name.starts_with(kVariablePrefix)) load_variable(name, value);
  }
}

void Loader::load_variable(const std::string& name, const std::string& value) {
  const std::string where = "environment variable " + name;
  if (const std::string key = key_of_variable(name); !key.empty()) return set(key, value, where);
  const auto similar = similar_variable(std::string_view(name).substr(kVariablePrefix.size()));
  if (similar.empty()) return;
  warnings_.push_back(fmt::format("{}: names no key and is ignored{}", where,
                                  did_you_mean(environment_name(similar))));
}

void Loader::load_sets() {
  for (const std::string& option : request_.sets) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos) {
      // The text after the key may be a secret.
      const std::string_view key = std::string_view(option).substr(0, option.find_first_of(" \t:"));
      problems_.add("--set", fmt::format("{} has no `=`; write KEY=VALUE", quote(key)));
    } else {
      set(std::string_view(option).substr(0, equals), std::string_view(option).substr(equals + 1),
          "--set");
    }
  }
}

LoadResult Loader::finish() {
  const bool tells_of_kafka = kafka_section_ && config_.kafka != KafkaOptions();
  const bool service = request_.service || (request_.service_if_kafka && tells_of_kafka);
  finish_config(config_,
                {.service = service,
                 .cluster_command = request_.cluster_command,
                 .reads_records = request_.reads_records,
                 .finds_fields = request_.finds_fields,
                 .kafka_client = request_.kafka_client},
                origins_, problems_, warnings_);
  config_.storage.threads = config_.cpu.threads;
  return {config_, problems_.take(), warnings_, origins_.given};
}

LoadResult load(const std::optional<std::string_view>& yaml, Loader& loader) {
  if (yaml && yaml->size() > kMostYamlBytes) {
    loader.file_problem("larger than 1 MiB");
  } else if (yaml) {
    loader.load_file(*yaml);
  }
  loader.load_environment();
  loader.load_sets();
  return loader.finish();
}

}  // namespace

LoadResult load_config_text(std::string_view yaml, const LoadRequest& request) {
  Loader loader(request);
  return load(yaml, loader);
}

LoadResult load_config(const LoadRequest& request) {
  Loader loader(request);
  if (!request.file) return load(std::nullopt, loader);
  const auto text = read_start(*request.file, kMostYamlBytes + 1);
  if (!text) loader.file_problem(fmt::format("cannot be read: {}", std::strerror(errno)));
  return load(text, loader);
}

}  // namespace neardup
