#include "service/commands/source_text.h"

#include <fmt/core.h>

#include <charconv>
#include <cstdint>
#include <optional>

#include "pipeline/base/failure.h"
#include "pipeline/model/text_batch.h"
#include "service/file/line_at.h"
#include "service/kafka/read/fetch.h"
#include "service/log/log.h"
#include "service/records/record_checks.h"
#include "service/records/record_decoder.h"

namespace neardup {
namespace {

constexpr std::string_view kKafka = "kafka:";

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
  const std::string bytes = read_line_at(place, config.input.max_record_bytes);
  RecordDecoder decoder(config.input, config.text);
  std::string_view text;
  RawRecord raw;
  raw.bytes = std::string_view(bytes).substr(0, bytes.size() - kTextPadding);
  const Record record = decoder.decode(raw, text);
  return text_of(record, text, std::string(source));
}

}  // namespace

std::string text_of_source(std::string_view source, const Config& config) {
  return source.starts_with(kKafka) ? text_in_kafka(source, config) : text_in_file(source, config);
}

}  // namespace neardup
