#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/core.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string_view>

#include "pipeline/base/failure.h"
#include "pipeline/base/signals.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/commands/file_reading.h"
#include "service/commands/state_settings.h"
#include "service/flags_report/flags_report.h"
#include "service/page/page.h"
#include "service/report/library_versions.h"
#include "service/state/settings.h"
#include "storage/files.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

struct Request {
  std::string flags;
  std::vector<std::string> inputs;
  std::string output;
};

bool is_stream(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return path == "-" ||
         (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status));
}

Request request_of(const CommandLine& line) {
  Request request{*line.one("FLAGS"), expanded(line.all("INPUT")),
                  line.one("--output").value_or("")};
  if (request.output.empty())
    throw Failure(Exit::kUsage, "-o FILE is needed: where the page goes, or - for stdout");
  require_output_is_no_input(request.output, {request.flags});
  require_output_is_no_input(request.output, request.inputs);
  if (!request.inputs.empty() && is_stream(request.flags)) {
    throw Failure(Exit::kUsage,
                  fmt::format("{} is read twice where inputs are given: give FLAGS as a file",
                              request.flags));
  }
  return request;
}

// Of the state of the flags, if it is given.
StateSettings settings_of(const CommandLine& line) {
  if (line.has("--state")) return settings_of_state(line, ConfigUse::kKeptState);
  const Config config = load_configuration(line, ConfigUse::kTemporaryState);
  return {config, make_rule(config)};
}

// The present time, or that of SOURCE_DATE_EPOCH, so that a page can be reproduced byte for byte.
std::string time_of_report() {
  std::time_t seconds = std::time(nullptr);
  if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH")) {
    const std::string_view digits(fixed);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
    if (error != std::errc() || end != digits.data() + digits.size() || seconds < 0)
      throw Failure(Exit::kUsage, "SOURCE_DATE_EPOCH is not a number of seconds since 1970");
  }
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

std::vector<std::string> pairs_without_texts(const std::vector<SampledPair>& pairs) {
  std::vector<std::string> json;
  for (const SampledPair& pair : pairs) json.push_back(pair_without_texts_json(pair));
  return json;
}

// Reads flags and inputs once more.
std::vector<std::string> compared_pairs(const Request& request, const Config& config,
                                        const Rule& rule, FileSource& source, PairTexts& texts,
                                        const std::vector<SampledPair>& pairs) {
  const std::atomic<bool>& stop = stop_requested();
  FlagsReader reader({request.flags}, stop);
  read_flags(reader, stop, [&](const FlagLine& flag) { return texts.add_flag(flag, reader); });
  read_records(source, stop, [&](const RawRecord& record) { return texts.add_record(record); });
  std::vector<std::string> json;
  for (const SampledPair& pair : pairs) {
    if (stop) break;
    json.push_back(pair_json(pair, texts, rule, config.cpu.simd));
  }
  return json;
}

void write_page(const std::string& path, std::string_view page) {
  if (!is_stream(path)) return replace_file(path, page);
  const Descriptor out(path == "-" ? ::dup(STDOUT_FILENO)
                                   : ::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!out.open()) fail_file("opening", path);
  write_all(out, page, path == "-" ? "standard output" : path);
}

}  // namespace

int run_report(const CommandLine& line) {
  const std::atomic<bool>& stop = stop_requested();
  const Request request = request_of(line);
  const auto [config, rule] = settings_of(line);
  const ReportHead head{request.flags == "-" ? "standard input" : request.flags, time_of_report(),
                        program_version()};
  const bool compares = !request.inputs.empty();
  // Inputs that are missing are noticed before the flags are read.
  FileSource source(request.inputs, {}, reading(config.input, config.output, stop));
  FlagsReader reader({request.flags}, stop);
  FlagsReport report(rule, compares);
  read_flags(reader, stop, [&](const FlagLine& flag) {
    report.add(flag, reader);
    return true;
  });
  if (!stop) require_flags(reader.counts(), request.flags);
  const std::vector<SampledPair> pairs = report.pairs();
  PairTexts texts(pairs, request.inputs, config);
  const std::vector<std::string> shown =
      compares ? compared_pairs(request, config, rule, source, texts, pairs)
               : pairs_without_texts(pairs);
  if (stop) return stop_status();
  write_page(request.output, report_page(report.json(head, shown, texts.notes())));
  return 0;
}

}  // namespace neardup
