#include "service/commands/file_reading.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "pipeline/base/failure.h"
#include "pipeline/base/signals.h"
#include "service/cli/run_status.h"
#include "service/file/input_list.h"
#include "service/records/record_decoder.h"

namespace neardup {
namespace {

constexpr std::size_t kRecordsAtOnce = 1024;
constexpr std::uint64_t kBytesAtOnce = std::uint64_t{16} << 20;

}  // namespace

std::vector<std::string> expanded(const std::vector<std::string>& inputs,
                                  const std::vector<std::string>& lists, bool quiet) {
  InputNames names = expand_inputs(inputs, lists);
  if (quiet) return std::move(names.paths);
  for (const std::string& note : names.notes) fmt::print(stderr, "neardup: note: {}\n", note);
  return std::move(names.paths);
}

std::vector<std::string> inputs_of(const CommandLine& line) {
  const std::vector<std::string> inputs = line.all("INPUT"), lists = line.all("--files-from");
  if (inputs.empty() && lists.empty())
    throw Failure(Exit::kUsage, "INPUT or --files-from is needed: what to read, or - for stdin");
  return expanded(inputs, lists, line.has("--quiet"));
}

ProgressForm progress_form(const CommandLine& line) {
  if (line.has("--quiet")) return ProgressForm::kNone;
  return line.has("--json") ? ProgressForm::kEvents : usual_progress();
}

int status_of(const CommandLine& line, const AllRejected& rejected, const FileSource& source) {
  for (const std::string& failure : source.failures()) fmt::print(stderr, "neardup: {}\n", failure);
  const int status = run_status(line, rejected);
  return status == 0 && !source.failures().empty() ? static_cast<int>(Exit::kUnreadable) : status;
}

FileSourceOptions reading(const InputOptions& input, const OutputOptions& output,
                          const std::atomic<bool>& stop) {
  return {.max_record_bytes = input.max_record_bytes,
          .stop = &stop,
          .find_fields = input.id == InputId::kAuto,
          .fields = record_fields(input, output)};
}

void decide_records(FileSource& source, Pipeline& pipeline, const Config& config,
                    ProgressForm form) {
  ProgressLine progress(form);
  pipeline.run(
      source,
      [&] { return std::make_unique<RecordDecoder>(config.input, config.text, config.output); },
      stop_requested(),
      [&](const PipelineCounts& counts) { progress.show(counts, source.progress()); });
}

void show_notes(const std::vector<std::string>& notes, std::size_t& shown) {
  for (; shown < notes.size(); ++shown) fmt::print(stderr, "neardup: note: {}\n", notes[shown]);
}

void read_flags(FlagsReader& reader, const std::atomic<bool>& stop,
                const std::function<bool(const FlagLine& flag)>& take) {
  std::size_t notes_shown = 0;
  show_notes(reader.source().notes(), notes_shown);
  ProgressLine progress;
  FlagLine flag;
  while (!stop && reader.next(flag) && take(flag)) {
    progress.show(reader.counts(), reader.source().progress());
  }
}

void require_flags(const PipelineCounts& counts, const std::string& path) {
  if (counts.documents() != 0) return;
  throw Failure(Exit::kUnreadable, fmt::format("{}: there are no flags: give a file that `neardup "
                                               "scan -o` or `output.file` of a service has written",
                                               path == "-" ? "standard input" : path));
}

void read_records(FileSource& source, const std::atomic<bool>& stop,
                  const std::function<bool(const RawRecord& record)>& take) {
  std::size_t notes_shown = 0;
  show_notes(source.notes(), notes_shown);
  ProgressLine progress;
  PipelineCounts counts;
  RawChunk chunk;
  while (!stop && source.read(kRecordsAtOnce, kBytesAtOnce, chunk)) {
    if (!std::ranges::all_of(chunk.records, take)) return;
    for (const RawRecord& record : chunk.records) counts.input_bytes += record.size;
    counts.by_status[static_cast<std::size_t>(Status::kUnique)] += chunk.records.size();
    progress.show(counts, source.progress());
  }
  progress.clear();
  show_notes(source.notes(), notes_shown);
}

}  // namespace neardup
