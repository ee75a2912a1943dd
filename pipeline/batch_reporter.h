// Collects the report of each batch for a probe while the batch is decided.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>

#include "gpu/backend.h"
#include "metrics/pipeline_probe.h"
#include "pipeline/chunk_queue.h"
#include "pipeline/model/flag.h"
#include "pipeline/resolve.h"

namespace neardup {

// Counts a flag. `text_bytes`: of the normalised text of its record.
void count_flag(const Flag& flag, std::uint32_t text_bytes, StoredBatchReport& report);
// Forgets the counts of one batch, so that another begins.
void begin_batch(StoredBatchReport& report);

class BatchReporter {
 public:
  // The references must outlive this. Reports the last seq and the stream time at once.
  BatchReporter(PipelineProbe& probe, Resolver& resolver, const Backend& backend);

  // flags[i] is the answer for record i of the chunk.
  void chunk_decided(const Chunk& chunk, std::span<const Flag> flags);
  // The batch is complete; what is decided from now on belongs to the next one.
  void batch_decided();
  // It is durable. `write`: the duration of the commit.
  void batch_stored(std::chrono::nanoseconds write);

 private:
  void take_totals();
  void take_times();
  double& seconds(BatchStage stage) { return report_.seconds[static_cast<std::size_t>(stage)]; }

  PipelineProbe& probe_;
  Resolver& resolver_;
  const Backend& backend_;
  StoredBatchReport report_;
  // The complete batch, its last seq and stream time.
  StoredBatchReport decided_;
  Seq last_seq_ = 0;
  std::int64_t stream_time_ms_ = 0;
  PrepareTimes prepared_;           // of the batch
  ResolveTimes resolved_;           // up to the last batch
  double transferred_seconds_ = 0;  // up to the last batch
};

}  // namespace neardup
