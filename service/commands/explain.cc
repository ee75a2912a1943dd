#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "config/config.h"
#include "pipeline/base/failure.h"
#include "pipeline/model/text_batch.h"
#include "pipeline/state_keys.h"
#include "service/cli/option_values.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/commands/state_settings.h"
#include "service/control/client.h"
#include "service/file/record_reader.h"
#include "service/file/text_file.h"
#include "service/kafka/read/fetch.h"
#include "service/log/log.h"
#include "service/records/found_fields.h"
#include "service/records/record_checks.h"
#include "service/records/record_decoder.h"
#include "service/state/comparison.h"

namespace neardup {
namespace {

constexpr char kSource = '@';  // begins a side that is a record of an input
constexpr std::string_view kKafka = "kafka:";

struct LineOfInput {
  std::string path;
  std::uint64_t line = 0;  // from 1, blank lines counted
};

struct RecordOfLine {
  std::string bytes;  // followed by kTextPadding zeros that may be read
  bool faulty = false;
  std::optional<FoundFields> fields = {};
};

// One record of an input, which is read from its start and may be compressed. Throws
// Failure(kUnreadable) when there is no such line, or it is blank or longer than `max_bytes`.
RecordOfLine read_line_at(const LineOfInput& place, const InputOptions& input) {
  const std::uint64_t max_bytes = input.max_record_bytes;
  const auto reader = open_reader(RawInput(place.path), {max_bytes, record_fields(input)});
  RecordOfLine found;
  std::string& bytes = found.bytes;
  for (Line line; reader->next(bytes, line); bytes.clear()) {
    if (input.id == InputId::kAuto && !found.fields && !line.too_large)
      found.fields = find_fields(bytes);
    if (line.number < place.line) continue;
    if (line.number > place.line) break;
    if (line.too_large) {
      throw Failure(Exit::kUnreadable, fmt::format("{}:{}: longer than input.max_record_bytes ({})",
                                                   place.path, place.line, max_bytes));
    }
    bytes.append(kTextPadding, '\0');
    found.faulty = line.faulty;
    return found;
  }
  throw Failure(Exit::kUnreadable,
                fmt::format("{}:{}: the file has no record in this line", place.path, place.line));
}

Failure misunderstood(std::string_view source) {
  return Failure(Exit::kUsage,
                 fmt::format("@{}: give @FILE:LINE or @kafka:TOPIC/PARTITION/OFFSET, as the source "
                             "of a flag names it",
                             source));
}

// The number behind the last `mark`, which is cut off with it. Nothing: there is none.
std::optional<std::int64_t> take_number(std::string_view& text, char mark) {
  const std::size_t at = text.rfind(mark);
  if (at == text.npos) return {};
  const std::string_view digits = text.substr(at + 1);
  std::int64_t number = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number < 0) return {};
  text = text.substr(0, at);
  return number;
}

std::string text_in_kafka(std::string_view source, const Config& config) {
  std::string_view rest = source.substr(kKafka.size());
  const auto offset = take_number(rest, '/');
  const auto partition = offset ? take_number(rest, '/') : offset;
  if (!partition || *partition > INT32_MAX || rest.empty()) throw misunderstood(source);
  if (config.kafka.brokers.empty()) {
    throw Failure(Exit::kConfig,
                  fmt::format("@{}: `kafka.brokers` is missing: give the service's configuration "
                              "with -c",
                              source));
  }
  Log log(config.log);
  return fetch_text(config, {std::string(rest), static_cast<std::int32_t>(*partition)}, *offset,
                    log);
}

std::string text_in_file(std::string_view source, const Config& config) {
  std::string_view path = source;
  const auto line = take_number(path, ':');
  if (!line || *line == 0 || path.empty()) throw misunderstood(source);
  const LineOfInput place{std::string(path), static_cast<std::uint64_t>(*line)};
  const auto [bytes, faulty, fields] = read_line_at(place, config.input);
  RecordDecoder decoder(config.input, config.text);
  std::string_view text;
  RawRecord raw;
  raw.bytes = std::string_view(bytes).substr(0, bytes.size() - kTextPadding);
  if (fields && !fields->usual) raw.fields = &*fields;
  raw.faulty = faulty;
  const Record record = decoder.decode(raw, text);
  return text_of(record, text, std::string(source));
}

// The text of a record by its source, as its flag names it: "FILE:LINE" of an input, or
// "kafka:TOPIC/PARTITION/OFFSET". It is not normalised. Throws Failure(kUsage) when `source` is
// neither, and as read_line_at and fetch_text.
std::string text_of_source(std::string_view source, const Config& config) {
  return source.starts_with(kKafka) ? text_in_kafka(source, config) : text_in_file(source, config);
}

Side side_of_file(const std::string& path, const Rule& rule) {
  const std::string raw =
      read_text_file(path, rule.text.max_bytes, "; with --state, A and B are ids");
  if (auto side = side_of_text(path, raw, rule)) return std::move(*side);
  throw text_too_large(path, rule.text.max_bytes);
}

Side side_of_source(std::string_view source, const Config& config, const Rule& rule) {
  if (auto side = side_of_text(std::string(source), text_of_source(source, config), rule))
    return std::move(*side);
  throw text_too_large(std::string(source), rule.text.max_bytes);
}

bool is_source(const std::string& side) {
  return side.starts_with(kSource) && !side.starts_with("@@");
}

// Of an argument that is no source: "@@a" means "@a".
std::string unescaped(const std::string& side) {
  return side.starts_with(kSource) ? side.substr(1) : side;
}

// Of --color; "auto": where stdout is a terminal and NO_COLOR (no-color.org) is not set.
bool with_colour(const CommandLine& line) {
  static constexpr std::array<std::string_view, 3> kWhen{"auto", "always", "never"};
  const std::size_t when = one_of(line, "--color", kWhen).value_or(0);
  if (when != 0) return kWhen[when] == "always";
  const char* none = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) == 1 && (none == nullptr || *none == '\0');
}

// `side_of`: the side of an argument that is no source.
std::string compare(const CommandLine& line, const Config& config, const Rule& rule,
                    const std::function<Side(const std::string&)>& side_of) {
  const auto side = [&](const std::string& text) {
    return is_source(text) ? side_of_source(text.substr(1), config, rule)
                           : side_of(unescaped(text));
  };
  Side first = side(*line.one("A"));
  Side second = side(*line.one("B"));
  return comparison_text(
      make_comparison(std::move(first), std::move(second), rule, config.cpu.simd),
      with_colour(line));
}

// Nothing: there is no service to ask.
std::optional<std::string> explain_by_service(const CommandLine& line) {
  const std::string state = existing_state_path(line);
  const auto rule = ask_for_rule(state);
  if (!rule) return {};
  settings_for(line, ConfigUse::kIds, *rule);  // refuses what contradicts the rule
  return ask_about_ids(state, line.one("--namespace").value_or(""), unescaped(*line.one("A")),
                       unescaped(*line.one("B")), with_colour(line));
}

std::string explain_stored(const CommandLine& line) {
  const bool ids = !is_source(*line.one("A")) && !is_source(*line.one("B"));
  if (ids) {
    if (const auto text = explain_by_service(line)) return *text;
  }
  const auto store = open_existing_state(line, OpenMode::kReadOnly);
  const auto [config, rule] =
      settings_for(line, ids ? ConfigUse::kIds : ConfigUse::kAny, stored_rule_text(*store));
  const std::string name_space = line.one("--namespace").value_or("");
  return compare(line, config, rule,
                 [&](const std::string& id) { return side_of_id(id, name_space, *store); });
}

std::string explain_files(const CommandLine& line) {
  const Config config = load_configuration(line, ConfigUse::kTemporaryState);
  const Rule rule = make_rule(config);
  return compare(line, config, rule,
                 [&](const std::string& path) { return side_of_file(path, rule); });
}

}  // namespace

int run_explain(const CommandLine& line) {
  fmt::print("{}", line.has("--state") ? explain_stored(line) : explain_files(line));
  return 0;
}

}  // namespace neardup
