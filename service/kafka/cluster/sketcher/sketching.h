// Records of sources of the log, such as the partitions that a sketcher has: what is read is
// sketched and appended to the log, and committed once the log has acknowledged it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "config/config.h"
#include "gpu/backend.h"
#include "metrics/sketcher_probe.h"
#include "metrics/stage_times.h"
#include "pipeline/model/notice.h"
#include "pipeline/ports.h"
#include "pipeline/prepared_chunks.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/cluster/log/log_appender.h"
#include "service/kafka/cluster/sketcher/source_start.h"

namespace neardup {

// What the owner knows and does. The first three functions are called often.
struct SketchingAsks {
  std::function<bool()> ends;         // no more is to be read
  std::function<bool()> log_is_full;  // to be waited for before more is appended
  std::function<Decided()> decided;   // the last batch
  // Keeps the offsets, which the log has acknowledged. False: one of the partitions belongs to
  // another process by now. Throws KafkaErrors; it is called again after a retriable one.
  std::function<bool(const std::vector<OffsetCommit>&)> commit;
  std::function<void(const Positions&)> committed;
  DecoderFactory make_decoder;
  // Records of a batch that were not understood; null: nobody wants to know.
  std::function<void(const NoticeCounts&)> noticed = nullptr;
};

class Sketching {
 public:
  // `committing` also ends the wait for acknowledgements. All references must outlive this.
  Sketching(const Config& config, const Rule& rule, Backend& backend, LogAppender& appender,
            SketchingAsks asks, RetryPolicy& committing, SketcherProbe& probe);

  // Reads `source` to its end, or until `ends`, or until appended records were skipped: then it is
  // false. Returns, or throws a failure of the source, when everything that was appended is
  // acknowledged and committed, as far as the partitions are still this process's. Throws
  // KafkaErrors of the appender, Stopped.
  bool run(Source& source);

 private:
  using Clock = std::chrono::steady_clock;

  void append_all(Source& source, ChunkQueue& queue);
  bool should_end();
  bool is_paused();
  bool finds_passed_over();
  void look_for_passed_over();
  void settle();
  void commit(const AppendedBatch& batch);

  const Config& config_;
  const PrepareOptions options_;
  Backend& backend_;
  LogAppender& appender_;
  const SketchingAsks asks_;
  RetryPolicy& committing_;
  SketcherProbe& probe_;
  StageTimes times_;
  std::map<TopicPartition, Appended> appended_;  // what was committed, of each partition
  Clock::time_point next_look_;                  // at what has been decided
  bool passed_over_ = false;
  std::optional<Clock::time_point> paused_since_;
};

}  // namespace neardup
