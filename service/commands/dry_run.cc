#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "gpu/backends.h"
#include "pipeline/base/failure.h"
#include "pipeline/base/json_object.h"
#include "pipeline/base/quantities.h"
#include "pipeline/base/signals.h"
#include "pipeline/pipeline.h"
#include "service/cli/command_line.h"
#include "service/cli/option_values.h"
#include "service/cli/run_status.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/commands/file_reading.h"
#include "service/file/file_delivery.h"
#include "service/file/file_source.h"
#include "service/file/temporary_directory.h"
#include "service/pipeline_options.h"
#include "service/records/all_rejected.h"
#include "service/records/flag_writer.h"
#include "service/records/notice_words.h"
#include "service/report/state_size.h"
#include "service/state/settings.h"
#include "storage/stores.h"

namespace neardup {
namespace {

// Writes no flag, but knows how many bytes they are.
class MeasuredFlags : public Delivery {
 public:
  MeasuredFlags(FlagWriter writer, AllRejected& rejected)
      : writer_(std::move(writer)), rejected_(rejected) {}

  void add(const RawChunk& chunk, std::vector<Flag>& flags) override {
    for (std::size_t i = 0; i < flags.size(); ++i) {
      line_.clear();
      writer_.append(flags[i], line_);
      flag_bytes += static_cast<double>(line_.size());
      id_bytes += static_cast<double>(flags[i].id.size());
      rejected_.add(chunk.records[i], flags[i].reason, flags[i].detail);
    }
  }
  void before_commit(WriteSet&) override {}
  void after_commit() override {}

  double flag_bytes = 0;
  double id_bytes = 0;

 private:
  FlagWriter writer_;
  AllRejected& rejected_;
  std::string line_;
};

// What was read, and what all would be.
struct DryRun {
  const PipelineCounts& counts;
  std::string backend;
  double seconds = 0;
  double share = 1;  // of the bytes of all inputs that were read
  double flag_bytes = 0;
  double state_bytes = 0;
  double index_fits = 1;  // share of the state's 1-bit sketches that storage.memory has room for
  std::string state;      // where it would be; empty: nowhere
  double free_bytes = 0;  // on its disk

  double whole(double read) const { return read / share; }
};

double free_bytes(const std::string& path) {
  std::error_code ignored;
  std::filesystem::path place = std::filesystem::absolute(path);
  while (!std::filesystem::exists(place, ignored) && place.has_relative_path())
    place = place.parent_path();
  const std::filesystem::space_info space = std::filesystem::space(place, ignored);
  return ignored ? 0 : static_cast<double>(space.available);
}

// Sets the bytes of a state with all documents, and whether its index fits into memory.
void add_state(DryRun& run, const Config& config, const Rule& rule, double id_bytes) {
  const double documents = std::max(1.0, static_cast<double>(run.counts.documents()));
  TypicalDocument typical;
  typical.id_bytes = static_cast<std::uint32_t>(id_bytes / documents);
  typical.text_bytes = static_cast<std::uint32_t>(static_cast<double>(run.counts.input_bytes) /
                                                  documents / kRawFactor);
  const bool keep_texts = config.storage.keep_texts != KeepTexts::kNone;
  const DocumentBytes each = disk_bytes(encoded_bytes(rule, keep_texts, typical));
  const double kept = run.whole(static_cast<double>(run.counts.of(Status::kUnique)));
  const auto copies = static_cast<double>(run.counts.of(Status::kExactDuplicate) +
                                          run.counts.of(Status::kNearDuplicate));
  const double texts = config.storage.keep_texts == KeepTexts::kAll ? each.text : 0;
  run.state_bytes = kept * each.total() + run.whole(copies) * (each.id + each.copy + texts);
  run.index_fits =
      share_memory({kept, rule.plan.bands, hot_bytes(rule, each).one_bit}, config.storage.memory)
          .one_bit_share;
}

std::string json(const DryRun& e) {
  const auto whole = [&](double read) { return static_cast<std::uint64_t>(e.whole(read)); };
  JsonObject statuses;
  for (std::size_t i = 0; i < kStatuses; ++i)
    statuses.number(name(static_cast<Status>(i)), e.counts.by_status[i]);
  return JsonObject()
      .decimals("share", e.share, 6)
      .number("documents", e.counts.documents())
      .number("bytes", e.counts.input_bytes)
      .json("statuses", statuses.str())
      .json("notices", notice_json(e.counts.notices))
      .text("backend", e.backend)
      .json("whole", JsonObject()
                         .number("documents", whole(static_cast<double>(e.counts.documents())))
                         .number("bytes", whole(static_cast<double>(e.counts.input_bytes)))
                         .decimals("seconds", e.whole(e.seconds), 1)
                         .number("flag_bytes", whole(e.flag_bytes))
                         .number("state_bytes", static_cast<std::uint64_t>(e.state_bytes))
                         .decimals("index_in_memory", e.index_fits, 3)
                         .number("free_bytes", static_cast<std::uint64_t>(e.free_bytes))
                         .str())
      .str();
}

std::string percent_text(double percent) {
  return percent < 10 ? fmt::format("{:.2g} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string time_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.1f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} minutes", seconds / 60);
  return fmt::format("{:.1f} hours", seconds / 3600);
}

std::string whole_text(const DryRun& e) {
  const double documents = e.whole(static_cast<double>(e.counts.documents()));
  std::string out = fmt::format(
      "\nAll inputs: about {:.0f} documents, {} of text\n"
      "  time   {} at this rate\n"
      "  flags  {} with -o, as JSON Lines\n"
      "  state  {}",
      documents, human_bytes(e.whole(static_cast<double>(e.counts.input_bytes))),
      time_text(e.whole(e.seconds)), human_bytes(e.whole(e.flag_bytes)),
      human_bytes(e.state_bytes));
  out += e.state.empty()
             ? " in the temporary directory, or with --state\n"
             : fmt::format(" in {}, where {} are free\n", e.state, human_bytes(e.free_bytes));
  if (e.index_fits < 1) {
    out += fmt::format(
        "  storage.memory has room for the 1-bit sketches of {:.0f} % of the documents, so the "
        "rate falls; see neardup size --documents {:.0f}\n",
        100 * e.index_fits, e.whole(static_cast<double>(e.counts.of(Status::kUnique))));
  }
  if (e.share < 1) {
    out +=
        "\nA part has fewer duplicates than all: those are missing whose originals were not read. "
        "Take their share as the least, and the size of the state as the most.\n";
  }
  return out;
}

std::string text(const DryRun& e) {
  return fmt::format("Dry run over {} of the inputs: {} documents, {} of text in {} ({})\n{}{}{}",
                     e.share < 1 ? percent_text(100 * e.share) : "all", e.counts.documents(),
                     human_bytes(static_cast<double>(e.counts.input_bytes)), time_text(e.seconds),
                     e.backend, status_text(e.counts), notice_text(e.counts.notices),
                     whole_text(e)) +
         "Nothing was written.\n";
}

void refuse_outputs(const CommandLine& line) {
  for (const char* option : {"--output", "--emit", "--rescan"}) {
    if (!line.has(option)) continue;
    throw Failure(Exit::kUsage,
                  fmt::format("--dry-run writes nothing, so {} has no meaning with it", option));
  }
}

void require_sizes(const CommandLine& line, const InputProgress& input) {
  if (!line.has("--sample") || input.total_bytes > 0) return;
  throw Failure(Exit::kUsage,
                "--sample needs files that are not empty; standard input and pipes have no size. "
                "Leave --sample out to read all");
}

double share_read(const InputProgress& input) {
  if (input.total_bytes == 0) return 1;
  return std::min(1.0,
                  static_cast<double>(input.done_bytes) / static_cast<double>(input.total_bytes));
}

// The same work as a run without --state does, and no flags.
class DryScan {
 public:
  DryScan(const CommandLine& line, const Config& config)
      : line_(line),
        config_(config),
        options_(make_pipeline_options(config, make_rule(config))),
        backend_(make_backend(config.backend_options(), options_.rule.plan)),
        paths_(inputs_of(line)),
        source_(paths_, {}, source_options()),
        rejected_(config.input, paths_),
        flags_(FlagWriter(rule_fingerprint(rule_text(options_.rule)), config.decision.threshold,
                          file_sources(paths_)),
               rejected_) {}

  // Returns the exit status.
  int run() {
    require_sizes(line_, source_.progress());
    const TemporaryDirectory directory;
    const auto store = open(directory);
    Pipeline pipeline(options_, *backend_, *store, flags_);
    const double seconds = decide(pipeline);
    DryRun found{.counts = pipeline.counts(),
                 .backend = backend_->description(),
                 .seconds = seconds,
                 .share = share_read(source_.progress()),
                 .flag_bytes = flags_.flag_bytes,
                 .state = line_.one("--state").value_or("")};
    if (!found.state.empty()) found.free_bytes = free_bytes(found.state);
    add_state(found, config_, options_.rule, flags_.id_bytes);
    const int status = status_of(line_, rejected_, source_);
    if (line_.has("--json"))
      fmt::print(stderr, "{}\n", json(found));
    else if (!line_.has("--quiet"))
      fmt::print(stderr, "{}", text(found));
    return status;
  }

 private:
  FileSourceOptions source_options() const {
    FileSourceOptions options = reading(config_.input, config_.output, stop_requested());
    options.keep_going = line_.has("--keep-going");
    options.share = fraction(line_, "--sample").value_or(1);
    return options;
  }

  std::unique_ptr<Store> open(const TemporaryDirectory& directory) const {
    StorageOptions options = config_.storage;
    options.temporary = true;
    options.path = directory.path();
    return open_store(options, OpenMode::kReadWrite);
  }

  // Seconds.
  double decide(Pipeline& pipeline) {
    std::size_t notes_shown = line_.has("--quiet") ? source_.notes().size() : 0;
    const auto start = std::chrono::steady_clock::now();
    decide_records(source_, pipeline, config_, progress_form(line_));
    if (!line_.has("--quiet")) show_notes(source_.notes(), notes_shown);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  const CommandLine& line_;
  const Config& config_;
  const PipelineOptions options_;
  const std::unique_ptr<Backend> backend_;
  const std::vector<std::string> paths_;
  FileSource source_;
  AllRejected rejected_;
  MeasuredFlags flags_;
};

}  // namespace

int run_dry_scan(const CommandLine& line) {
  refuse_outputs(line);
  const Config config = load_configuration(line, ConfigUse::kTemporaryState);
  return DryScan(line, config).run();
}

}  // namespace neardup
