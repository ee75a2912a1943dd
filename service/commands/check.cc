#include <fmt/core.h>

#include "gpu/cpu/cpu_backend.h"
#include "pipeline/base/signals.h"
#include "pipeline/checker.h"
#include "pipeline/prepare.h"
#include "pipeline/rule/index_entry.h"
#include "service/cli/run_status.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/commands/file_reading.h"
#include "service/commands/state_settings.h"
#include "service/file/file_delivery.h"
#include "service/file/file_source.h"
#include "service/file/flags_file.h"
#include "service/records/all_rejected.h"
#include "service/records/notice_words.h"
#include "service/records/record_decoder.h"

namespace neardup {
namespace {

constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 20;

}  // namespace

int run_check(const CommandLine& line) {
  const std::atomic<bool>& stop = stop_requested();
  const auto store = open_existing_state(line, OpenMode::kReadOnly);
  const auto [config, rule] = settings_for(line, ConfigUse::kKeptState, *store);
  require_seed(rule, "a check");
  store->set_index(IndexEntryMaker(rule.plan));
  const Checker checker(rule, config.filter, config.cpu, false, *store);
  const auto backend = make_cpu_backend(config.cpu, rule.plan);
  Preparer preparer(rule, config.cpu.simd,
                    std::make_unique<RecordDecoder>(config.input, config.text, config.output),
                    *backend);
  const std::vector<std::string> paths{line.one("FILE").value_or("-")};
  FileSource source(paths, {}, reading(config.input, config.output, stop));
  const FlagWriter writer(rule_fingerprint(rule_text(rule)), rule.decision.threshold,
                          file_sources(paths), FlagSeq::kLast);
  FlagsFile out({.path = "", .stored = {}});
  AllRejected rejected(config.input, paths);
  RawChunk chunk;
  SketchedBatch batch;
  std::vector<Flag> flags;
  std::string lines;
  NoticeCounts notices{};
  while (!stop && source.read(kChecksAtOnce, kPieceBytes, chunk)) {
    preparer.prepare(chunk, batch);
    flags.clear();
    checker.check(batch, flags);
    count_notices(batch.records, notices);
    lines.clear();
    for (std::size_t i = 0; i < flags.size(); ++i) {
      writer.append(flags[i], lines);
      rejected.add(chunk.records[i], flags[i].reason, flags[i].detail);
    }
    out.append(lines);
  }
  std::size_t notes_shown = 0;
  show_notes(source.notes(), notes_shown);
  fmt::print(stderr, "{}", notice_text(notices));
  return run_status(line, rejected);
}

}  // namespace neardup
