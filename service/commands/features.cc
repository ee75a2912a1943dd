#include <fmt/core.h>

#include "gpu/backend.h"
#include "gpu/backends.h"
#include "pipeline/base/failure.h"
#include "pipeline/base/signals.h"
#include "pipeline/prepare.h"
#include "service/cli/run_status.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/commands/file_reading.h"
#include "service/file/file_source.h"
#include "service/file/flags_file.h"
#include "service/file/remote_input.h"
#include "service/records/all_rejected.h"
#include "service/records/record_decoder.h"
#include "service/report/feature_vector.h"
#include "service/state/settings.h"

namespace neardup {
namespace {

void require_numbered_features(const SketchPlan& plan) {
  const std::uint64_t count = feature_count(plan.shape());
  if (count <= kMostFeatures) return;
  throw Failure(Exit::kConfig,
                fmt::format("sketch.size {} × 2^sketch.bits {} are {} features, and LIBSVM counts "
                            "to {}; take fewer bits",
                            plan.sketch.size, plan.sketch.bits, count, kMostFeatures));
}

// Appends one line per record of the chunk; a record without a sketch has no features.
void append_lines(const SketchedBatch& batch, const SketchShape& shape, std::string& lines) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch.has_sketch[i] == 0) {
      lines += "0\n";
    } else {
      append_features(shape, batch.rows.sketch(i), lines);
    }
  }
}

}  // namespace

int run_features(const CommandLine& line) {
  const std::atomic<bool>& stop = stop_requested();
  require_local_output("-o: lines", line.one("--output").value_or(""));
  const Config config = load_configuration(line, ConfigUse::kTemporaryState);
  const Rule rule = make_rule(config);
  require_numbered_features(rule.plan);
  const auto backend = make_backend(config.backend_options(), rule.plan);
  const std::vector<std::string> paths = expanded(line.all("INPUT"));
  FileSource source(paths, {}, reading(config.input, OutputOptions(), stop));
  FlagsFile out({.path = line.one("--output").value_or(""), .stored = {}});
  Preparer preparer(rule, config.cpu.simd,
                    std::make_unique<RecordDecoder>(config.input, config.text), *backend);
  AllRejected rejected(config.input, paths);
  RawChunk chunk;
  SketchedBatch batch;
  std::string lines;
  while (!stop && source.read(config.batch.documents, config.batch.max_bytes, chunk)) {
    preparer.prepare(chunk, batch);
    lines.clear();
    append_lines(batch, rule.plan.shape(), lines);
    for (std::size_t i = 0; i < batch.size(); ++i)
      rejected.add(chunk.records[i], batch.records[i].reason, batch.records[i].detail);
    out.append(lines);
  }
  for (const std::string& note : source.notes()) fmt::print(stderr, "neardup: note: {}\n", note);
  return run_status(line, rejected);
}

}  // namespace neardup
