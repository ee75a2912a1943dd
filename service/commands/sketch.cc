#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>

#include "gpu/backends.h"
#include "service/cli/progress.h"
#include "service/commands/cluster_command.h"
#include "service/commands/commands.h"
#include "service/commands/file_reading.h"
#include "service/file/content_hash.h"
#include "service/file/file_source.h"
#include "service/kafka/cluster/command/file_appender.h"
#include "service/records/all_rejected.h"
#include "service/records/notice_words.h"
#include "service/records/record_decoder.h"

namespace neardup {
namespace {

constexpr std::size_t kRecordsLookedAt = 1000;
constexpr std::uint64_t kSketchedAtOnce = std::uint64_t{16} << 20;

void require_lines(const InputOptions& input) {
  if (input.format != InputFormat::kRaw) return;
  throw Failure(Exit::kConfig,
                "`input.format: raw` is for messages of Kafka; lines of a file have no key. With "
                "`--set input.format=json` they are read as JSON Lines");
}

// What is in the log stays there, so that a wrong setting must be noticed before.
void require_records(const Config& config, const std::vector<std::string>& paths) {
  FileSource source(paths, {},
                    {.max_record_bytes = config.input.max_record_bytes,
                     .fields = record_fields(config.input, config.output)});
  RecordDecoder decoder(config.input, config.text, config.output);
  AllRejected rejected(config.input, paths);
  RawChunk chunk;
  std::size_t seen = 0;
  while (seen < kRecordsLookedAt && !stop_requested() &&
         source.read(kRecordsLookedAt - seen, kSketchedAtOnce, chunk)) {
    for (const RawRecord& raw : chunk.records) {
      std::string_view text;
      const Record record = decoder.decode(raw, text);
      if (record.reason == RejectReason::kNone) return;
      rejected.add(raw, record.reason, record.detail);
    }
    seen += chunk.records.size();
  }
  const std::string sentence = rejected.sentence();
  if (sentence.empty()) return;
  throw Failure(
      Exit::kUnreadable,
      fmt::format("nothing was appended, since of the first {} records {}", seen, sentence));
}

std::uint64_t bytes_of(const std::vector<std::string>& paths) {
  std::uint64_t bytes = 0;
  for (const std::string& path : paths) {
    std::error_code unknown;
    const std::uintmax_t size = std::filesystem::file_size(path, unknown);
    if (!unknown) bytes += size;
  }
  return bytes;
}

PipelineCounts shown(const AppendedFiles& appended) {
  PipelineCounts counts;
  counts.input_bytes = appended.read_bytes;
  for (const std::uint64_t records : appended.records)
    counts.by_status[static_cast<std::size_t>(Status::kUnique)] += records;
  return counts;
}

void print(const AppendedFiles& appended, const std::string& log, double seconds,
           const std::string& backend) {
  const std::uint64_t records = shown(appended).documents();
  fmt::print(stderr, "{} records appended to {} in {:.2f} s ({:.0f} records/s, {})\n", records, log,
             seconds, static_cast<double>(records) / std::max(seconds, 1e-9), backend);
  const std::pair<std::uint64_t, std::string_view> lines[] = {
      {appended.of(RecordKind::kDocument), "documents"},
      {appended.of(RecordKind::kDelete), "deletes"},
      {appended.of(RecordKind::kRejected), "rejected"},
      {appended.seen, "in the log already"},
  };
  for (const auto& [count, words] : lines) {
    if (count > 0) fmt::print(stderr, "{:>10}  {}\n", count, words);
  }
  fmt::print(stderr, "{}", notice_text(appended.notices));
  for (const std::string& note : appended.notes) fmt::print(stderr, "neardup: note: {}\n", note);
}

void append_all(const std::vector<std::string>& paths, ClusterClient& client, const Rule& rule) {
  const Config& config = client.config();
  const auto backend = make_backend(config.backend_options(), rule.plan);
  const std::uint64_t total = bytes_of(paths);
  ProgressLine progress;
  const auto start = std::chrono::steady_clock::now();
  FileAppender files(client, rule, *backend, stop_requested(), [&](const AppendedFiles& appended) {
    progress.show(shown(appended), {.done_bytes = appended.read_bytes, .total_bytes = total});
  });
  const auto finish = [&] {
    progress.clear();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    print(files.appended(), config.cluster.log_topic(), time.count(), backend->description());
  };
  try {
    for (const std::string& path : paths) files.append(path);
  } catch (...) {
    finish();
    throw;
  }
  finish();
}

}  // namespace

int run_sketch(const CommandLine& line) {
  if (!line.has("--to-log")) {
    throw Failure(Exit::kUsage,
                  "--to-log is needed: sketches are appended to the log of a cluster "
                  "(docs/cluster.md); `neardup features` writes them to a file");
  }
  return with_cluster(line, [&](ClusterClient& client, const Rule& rule) {
    const std::vector<std::string> paths = expanded(line.all("INPUT"));
    require_lines(client.config().input);
    std::ranges::for_each(paths, require_file);
    if (!line.has("--allow-all-rejected")) require_records(client.config(), paths);
    append_all(paths, client, rule);
  });
}

}  // namespace neardup
