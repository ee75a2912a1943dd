#include <fmt/core.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "gpu/backends.h"
#include "pipeline/base/failure.h"
#include "pipeline/base/json_object.h"
#include "pipeline/base/signals.h"
#include "pipeline/pipeline.h"
#include "service/cli/command_line.h"
#include "service/cli/run_status.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/commands/file_reading.h"
#include "service/file/emit_files.h"
#include "service/file/file_delivery.h"
#include "service/file/file_source.h"
#include "service/file/remote_input.h"
#include "service/file/temporary_directory.h"
#include "service/log/work_log.h"
#include "service/pipeline_options.h"
#include "service/records/all_rejected.h"
#include "service/records/notice_words.h"
#include "service/records/record_decoder.h"
#include "service/search/engines.h"
#include "service/search/index_keeper.h"
#include "service/state/settings.h"
#include "storage/stores.h"

namespace neardup {
namespace {

constexpr std::size_t kMostInputs = 3;  // that the offer of a report names

// A run's store, on disk or in memory, kept or temporary.
struct State {
  std::unique_ptr<TemporaryDirectory> directory;
  std::unique_ptr<Store> store;
};

State open_state(const CommandLine& line, StorageOptions options) {
  State state;
  const auto path = line.one("--state");
  options.temporary = !path;
  if (path) {
    if (options.store == StoreName::kMemory) {
      throw Failure(
          Exit::kConfig,
          "storage.store: memory cannot be kept in --state; use rocksdb, or leave --state out");
    }
    options.path = *path;
  } else if (options.store == StoreName::kRocksdb) {
    state.directory = std::make_unique<TemporaryDirectory>();
    options.path = state.directory->path();
  }
  state.store = open_store(options, OpenMode::kReadWrite);
  return state;
}

struct Summary {
  const PipelineCounts& counts;
  const StageTimes& times;
  double seconds;
  std::uint64_t peak_rss_bytes;
  std::uint64_t state_bytes;
  std::string backend;
  BackendReport gpu;
  std::size_t unreadable_inputs;  // with --keep-going
  const Emitter& emitted;
};

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

void print_json(const Summary& s) {
  const auto of = [&](Status status) { return s.counts.of(status); };
  JsonObject stages;
  for (std::size_t i = 0; i < kStageNames.size(); ++i) {
    stages.decimals(kStageNames[i], s.times.seconds(static_cast<Stage>(i)), 3);
  }
  JsonObject summary;
  summary.number("documents", s.counts.documents())
      .number("bytes", s.counts.input_bytes)
      .number("unique", of(Status::kUnique))
      .number("exact_duplicates", of(Status::kExactDuplicate))
      .number("near_duplicates", of(Status::kNearDuplicate))
      .number("unchanged", of(Status::kUnchanged))
      .number("too_short", of(Status::kTooShort))
      .number("empty", of(Status::kEmpty))
      .number("deleted", of(Status::kDeleted))
      .number("rejected", of(Status::kRejected))
      .decimals("seconds", s.seconds, 3)
      .decimals("documents_per_second", static_cast<double>(s.counts.documents()) / s.seconds, 1)
      .number("peak_rss_bytes", s.peak_rss_bytes)
      .number("state_bytes", s.state_bytes)
      .text("backend", s.backend)
      .json("notices", notice_json(s.counts.notices))
      .number("unreadable_inputs", s.unreadable_inputs);
  if (!s.emitted.written().empty()) {
    JsonObject emitted;
    for (const Emitter::Written& file : s.emitted.written())
      emitted.number(name(file.kind), file.records);
    summary.json("emitted", emitted.str()).number("left_out", s.emitted.left_out());
  }
  summary.json("stage_seconds", stages.str());
  if (s.gpu.has_device()) summary.json("gpu", gpu_report_json(s.gpu));
  fmt::print(stderr, "{}\n", summary.str());
}

void print_text(const Summary& s) {
  const double megabytes = static_cast<double>(s.counts.input_bytes) / 1e6;
  fmt::print(
      stderr, "{} documents, {:.1f} MB of text in {:.2f} s ({:.0f} documents/s, {:.0f} MB/s, {})\n",
      s.counts.documents(), megabytes, s.seconds,
      static_cast<double>(s.counts.documents()) / s.seconds, megabytes / s.seconds, s.backend);
  fmt::print(stderr, "{}", status_text(s.counts));
  for (const Emitter::Written& file : s.emitted.written())
    fmt::print(stderr, "{:>10}  {} in {}\n", file.records, name(file.kind), file.path);
  if (s.emitted.left_out() > 0) {
    fmt::print(stderr,
               "{:>10}  records are in no file of --emit: they are longer than "
               "input.max_record_bytes\n",
               s.emitted.left_out());
  }
  fmt::print(stderr, "{}{}", notice_text(s.counts.notices), gpu_report_text(s.gpu));
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+";
  const bool plain = !text.empty() && text.find_first_not_of(kPlain) == text.npos;
  if (plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? R"('\'')" : std::string(1, c);
  return quoted + "'";
}

// Can be read again.
bool is_file(const std::string& path) {
  std::error_code ignored;
  return path != "-" && std::filesystem::is_regular_file(path, ignored);
}

// The command that shows the flags of this run as a page, one line to be pasted into a shell.
// Empty: they go to no file.
std::string report_hint(const CommandLine& line) {
  const std::string output = line.one("--output").value_or("-");
  if (!is_file(output)) return {};
  std::vector<std::string> words{"neardup", "report"};
  const auto add = [&](const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values) words.insert(words.end(), {option, shell_word(value)});
  };
  add("-c", line.all("--config"));
  add("--set", line.all("--set"));
  words.insert(words.end(), {"-o", "report.html", shell_word(output)});
  const std::vector<std::string> inputs = line.all("INPUT");
  const bool again = std::ranges::all_of(inputs, is_file);
  if (again && inputs.size() > kMostInputs) words.emplace_back("INPUT…");
  if (again && inputs.size() <= kMostInputs)
    std::ranges::transform(inputs, std::back_inserter(words), shell_word);
  return fmt::format("{}", fmt::join(words, " "));
}

void offer_report(const CommandLine& line) {
  const std::string command = isatty(STDERR_FILENO) == 1 ? report_hint(line) : "";
  if (!command.empty()) fmt::print(stderr, "\nAll of it as a page: {}\n", command);
}

struct NotesShown {
  std::size_t of_source = 0;
  std::size_t of_emitted = 0;
  std::size_t of_output = 0;
};

void tell(const CommandLine& line, const FileSource& source, const Emitter& emitted,
          const FlagsOutput& output, NotesShown& shown) {
  show_notes(output.notes(), shown.of_output);  // flags that are elsewhere: with --quiet, too
  if (line.has("--quiet")) return;
  show_notes(source.notes(), shown.of_source);
  show_notes(emitted.notes(), shown.of_emitted);
}

// With --quiet only as JSON, if that is wanted.
void tell(const CommandLine& line, const Summary& summary, int status) {
  if (line.has("--json")) return print_json(summary);
  if (line.has("--quiet")) return;
  print_text(summary);
  if (status == 0) offer_report(line);
}

FlagsFileOptions flags_file(const CommandLine& line, const Config& config, Store& store,
                            const FileSource& source) {
  return FlagsFileOptions{.path = line.one("--output").value_or(""),
                          .stored = store.meta(kOutputKey),
                          .stored_batch = store.meta(kOutputBatchKey),
                          .restored = store.meta(kOutputRestoredKey).has_value(),
                          .batch = config.batch.documents,
                          .half_read = source.half_read(),
                          .durable = line.has("--state"),
                          .waits = true};
}

std::unique_ptr<Emitter> open_emitter(const CommandLine& line, const EmitPaths& paths,
                                      const Config& config, Store& store,
                                      const FileSource& source) {
  EmitOptions options{.paths = paths,
                      .form = line.has("--emit") ? emit_form(source.inputs(), paths) : EmitForm(),
                      .half_read = source.half_read(),
                      .durable = line.has("--state"),
                      .threads = config.cpu.threads};
  for (const std::string_view prefix : kEmitPrefixes)
    for (auto& value : store.meta_with_prefix(prefix)) options.stored.push_back(std::move(value));
  const std::string output = line.one("--output").value_or("");
  if (options.form.parts)
    return make_emit_parts(options, source.inputs(), output, store, stop_requested());
  auto records = std::make_unique<EmitFiles>(options);
  if (paths[static_cast<std::size_t>(EmitKind::kDolma)].empty()) return records;
  return make_emit_attributes(
      options, source.inputs(), output,
      std::make_unique<RecordDecoder>(config.input, config.text, config.output),
      std::move(records));
}

void index_keywords(const CommandLine& line, const Config& config, const Rule& rule, Store& store) {
  if (config.search.index != KeywordIndexMode::kOn || !line.has("--state")) return;
  const auto index = keep_keyword_index(config.search, *line.one("--state"), store, rule);
  bring_up_to_date(store, *index);
}

FlagsOutput open_output(const CommandLine& line, const Config& config, const Rule& rule,
                        Store& store, const FileSource& source,
                        const std::vector<std::string>& paths, AllRejected& rejected,
                        Emitter& emitted) {
  const FlagWriter writer(rule_fingerprint(rule_text(rule)), config.decision.threshold,
                          file_sources(paths));
  const bool all_read = std::ranges::all_of(source.inputs(), &PlannedInput::skip);
  return {flags_file(line, config, store, source), all_read, writer, store, &rejected, &emitted};
}

}  // namespace

int run_scan(const CommandLine& line) {
  if (line.has("--dry-run")) return run_dry_scan(line);
  if (line.has("--sample"))
    throw Failure(Exit::kUsage,
                  "--sample is for --dry-run: flags of a part would not tell which "
                  "records were left out");
  const std::atomic<bool>& stop = stop_requested();
  const bool durable = line.has("--state");
  require_local_output("-o: flags", line.one("--output").value_or(""));
  const Config config =
      load_configuration(line, durable ? ConfigUse::kKeptState : ConfigUse::kTemporaryState);
  const PipelineOptions options = make_pipeline_options(config, make_rule(config));
  const auto backend = make_backend(config.backend_options(), options.rule.plan);
  const std::vector<std::string> paths = inputs_of(line);
  require_output_is_no_input(line.one("--output").value_or(""), paths);
  const EmitPaths emit = emit_paths(line.all("--emit"), line.one("--output").value_or(""), paths);
  State state = open_state(line, config.storage);
  FileSource source(paths, state.store->meta_with_prefix(kInputPrefix),
                    {.max_record_bytes = config.input.max_record_bytes,
                     .durable = durable,
                     .rescan = line.has("--rescan"),
                     .stop = &stop,
                     .keep_going = line.has("--keep-going"),
                     .keep_stored = line.has("--emit"),
                     .emit_inputs = state.store->meta_with_prefix(kEmitInputPrefix),
                     .find_fields = config.input.id == InputId::kAuto,
                     .fields = record_fields(config.input, config.output)});
  const auto emitted = open_emitter(line, emit, config, *state.store, source);
  AllRejected rejected(config.input, paths);
  FlagsOutput output =
      open_output(line, config, options.rule, *state.store, source, paths, rejected, *emitted);
  emitted->begin();
  output.begin();
  Pipeline pipeline(options, *backend, *state.store, output.delivery());

  NotesShown notes_shown;
  tell(line, source, *emitted, output, notes_shown);
  const auto start = std::chrono::steady_clock::now();
  decide_records(source, pipeline, config, progress_form(line));
  output.finish(stop);
  emitted->finish(stop);
  index_keywords(line, config, options.rule, *state.store);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  tell(line, source, *emitted, output, notes_shown);
  const Summary summary{pipeline.counts(),
                        pipeline.times(),
                        std::max(seconds.count(), 1e-9),
                        peak_rss_bytes(),
                        state.store->size().disk_bytes,
                        backend->description(),
                        backend->report(),
                        source.failures().size(),
                        *emitted};
  const int status = status_of(line, rejected, source);
  tell(line, summary, status);
  return status;
}

}  // namespace neardup
