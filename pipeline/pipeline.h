// source → chunks → decode, normalise, sketch → look-up → decide → flags → state.
//
// Preparing runs on `threads` threads and ahead of deciding. The chunks that are prepared are
// looked up together, on as many threads. Decisions come strictly one after another, on the calling
// thread. The rows of a batch are written while the next one is decided, at most one batch behind;
// nothing of a batch is delivered before its write has returned.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "gpu/backend.h"
#include "metrics/pipeline_probe.h"
#include "metrics/stage_times.h"
#include "pipeline/batch_reporter.h"
#include "pipeline/chunk_queue.h"
#include "pipeline/model/flag.h"
#include "pipeline/model/notice.h"
#include "pipeline/model/types.h"
#include "pipeline/ports.h"
#include "pipeline/prepared_chunks.h"
#include "pipeline/resolve.h"
#include "pipeline/rule/options.h"
#include "pipeline/rule/rule.h"
#include "pipeline/state_access.h"
#include "pipeline/state_tasks.h"
#include "pipeline/time_share.h"
#include "storage/store.h"

namespace neardup {

struct PipelineOptions {
  Rule rule;
  FilterOptions filter;
  CpuOptions cpu;
  BatchOptions batch;
  KeepTexts keep_texts = KeepTexts::kNone;
  Ppm read_share = kOne / 4;  // of the time, for reads while chunks wait
};

// The work done so far.
struct PipelineCounts {
  std::uint64_t input_bytes = 0;  // of raw text
  std::array<std::uint64_t, kStatuses> by_status{};
  NoticeCounts notices{};
  std::uint64_t of(Status status) const { return by_status[static_cast<std::size_t>(status)]; }
  std::uint64_t documents() const;
};

class Pipeline : private StateAccess {
 public:
  using Progress = std::function<void(const PipelineCounts&)>;

  // All references must outlive the pipeline. `delivery` is called from the thread of `run`.
  Pipeline(const PipelineOptions& options, Backend& backend, Store& store, Delivery& delivery);

  // Reports each batch of later runs to `probe`, which must outlive the pipeline.
  void report_to(PipelineProbe& probe);

  // Offers pairs to `check`, which must outlive the pipeline.
  void watch_quality(QualityCheck& check) { resolver_.watch_quality(check); }

  // As Resolver::tell_verdicts.
  void tell_verdicts() { resolver_.tell_verdicts(); }

  // Runs `reads`, too, between two chunks: on the store as of the last commit, without commits of
  // their own. While chunks wait they take at most `read_share` of the time. `reads` must outlive
  // the pipeline.
  void answer_reads(StateTasks& reads) { reads_ = &reads; }

  // Processes the source up to its end, or up to the next chunk after `stop` was set; all records
  // read by then are decided, delivered and committed. `progress` is called after each chunk. An
  // exception of the source is rethrown after the records before it are committed. `tasks`, if not
  // null, run between two batches.
  void run(Source& source, const DecoderFactory& make_decoder, const std::atomic<bool>& stop,
           const Progress& progress, StateTasks* tasks = nullptr);

  // Decides a chunk that is prepared (pipeline/prepare.h), and commits it as a batch: for a few
  // records, without threads for preparing. Between two runs only.
  void decide_batch(const Chunk& chunk);

  // The state, for a command. Between two runs only.
  StateAccess& access() { return *this; }

  const PipelineCounts& counts() const { return counts_; }
  const Resolver& resolver() const { return resolver_; }
  const StageTimes& times() const { return times_; }

 private:
  void decide_all(ChunkQueue& queue, const Progress& progress, StateTasks* tasks);
  void do_tasks(ChunkQueue& queue, StateTasks* tasks);
  void do_reads(ChunkQueue& queue);
  bool take_group(ChunkQueue& queue);
  void decide_group(ChunkQueue& queue, const Progress& progress);
  void decide(const Chunk& chunk, std::size_t n);
  void end_batch(const Chunk& last, std::function<void()> wake);
  void finish_batch();
  void finish_batch_if_written();
  void abandon_batch();
  void let_go(ChunkQueue& queue, std::unique_ptr<Chunk> chunk);
  bool chunks_wait(ChunkQueue& queue) const { return !group_.empty() || queue.is_ready(); }
  Store& store() override;
  void commit(const WriteSet& writes) override;

  PipelineOptions options_;
  Backend& backend_;
  Store& store_;
  Delivery& delivery_;
  Resolver resolver_;
  StageTimes times_;
  std::unique_ptr<BatchReporter> reporter_;  // or null
  StateTasks* reads_ = nullptr;
  TimeShare reading_;  // of the time of `decide_all`
  PipelineCounts counts_;
  // Chunks of one batch, in order, that were looked up together and are not decided yet.
  std::deque<std::unique_ptr<Chunk>> group_;
  std::vector<Flag> flags_;  // of the chunk
  // Of the batch that is being decided, if texts are kept: its writes look into them.
  std::vector<std::unique_ptr<Chunk>> chunks_;
  // The batch that is being written, or the last one.
  struct Written {
    bool is_open = false;
    WriteSet writes;
    std::vector<std::unique_ptr<Chunk>> chunks;
    std::chrono::steady_clock::time_point began;
    std::chrono::steady_clock::time_point ended;
  };
  Written written_;
};

}  // namespace neardup
