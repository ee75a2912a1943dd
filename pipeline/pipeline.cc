#include "pipeline/pipeline.h"

#include <chrono>
#include <numeric>
#include <optional>
#include <utility>

#include "pipeline/rule/index_entry.h"

namespace neardup {
namespace {

constexpr std::chrono::milliseconds kMostSavedReading{20};  // until chunks wait again

}  // namespace

std::uint64_t PipelineCounts::documents() const {
  return std::accumulate(by_status.begin(), by_status.end(), std::uint64_t{0});
}

Pipeline::Pipeline(const PipelineOptions& options, Backend& backend, Store& store,
                   Delivery& delivery)
    : options_(options),
      backend_(backend),
      store_(store),
      delivery_(delivery),
      resolver_(options.rule, options.filter, options.cpu, options.keep_texts, store),
      reading_(options.read_share, kMostSavedReading) {
  store.set_index(IndexEntryMaker(options.rule.plan));
}

void Pipeline::report_to(PipelineProbe& probe) {
  reporter_ = std::make_unique<BatchReporter>(probe, resolver_, backend_);
}

void Pipeline::run(Source& source, const DecoderFactory& make_decoder,
                   const std::atomic<bool>& stop, const Progress& progress, StateTasks* tasks) {
  PreparedChunks chunks(
      {options_.rule, options_.cpu, options_.batch, options_.keep_texts != KeepTexts::kNone},
      backend_, times_, source, make_decoder, stop);
  decide_all(chunks.queue(), progress, tasks);
}

void Pipeline::decide_all(ChunkQueue& queue, const Progress& progress, StateTasks* tasks) {
  const auto wake = [&queue] { queue.wake(); };
  std::optional<AcceptStateTasks> open;
  if (tasks != nullptr) open.emplace(*tasks, wake);
  std::optional<AcceptStateTasks> open_reads;
  if (reads_ != nullptr) open_reads.emplace(*reads_, wake);
  for (bool between_batches = true;;) {
    do_tasks(queue, between_batches ? tasks : nullptr);
    std::unique_ptr<Chunk> chunk = queue.pop();
    if (!chunk) return;
    StageClock clock;
    between_batches = chunk->ends_batch;
    decide(*chunk);
    if (chunk->ends_batch) end_batch(*chunk);
    if (options_.keep_texts != KeepTexts::kNone && !chunk->ends_batch) {
      chunk->raw = RawChunk();
      chunk->sketched.keep_one_text_each();
      chunks_.push_back(std::move(chunk));
    } else {
      queue.recycle(std::move(chunk));
    }
    progress(counts_);
    std::chrono::nanoseconds took{0};
    clock.lap(took);
    reading_.others_took(took);
  }
}

// Runs tasks and reads until the next chunk is ready. A wake-up for a task in the middle of a batch
// takes effect at the end of the batch.
void Pipeline::do_tasks(ChunkQueue& queue, StateTasks* tasks) {
  do {
    if (tasks != nullptr) tasks->do_all(*this);
    if (reads_ != nullptr) do_reads(queue);
  } while (queue.wait());
}

void Pipeline::do_reads(ChunkQueue& queue) {
  while (reading_.is_left() || !queue.is_ready()) {
    StageClock clock;
    if (!reads_->do_next(*this)) return;
    std::chrono::nanoseconds took{0};
    clock.lap(took);
    if (queue.is_ready()) reading_.took(took);
  }
}

void Pipeline::commit(const WriteSet& writes) {
  resolver_.ends(writes.erase_documents);
  store_.commit(writes);
}

void Pipeline::decide(const Chunk& chunk) {
  flags_.clear();
  {
    const StageTimer timer(times_, Stage::kResolve);
    resolver_.resolve(chunk.sketched, flags_);
  }
  counts_.input_bytes += chunk.sketched.input_bytes;
  for (const Flag& flag : flags_) ++counts_.by_status[static_cast<std::size_t>(flag.status)];
  count_notices(chunk.sketched.records, counts_.notices);
  if (reporter_) reporter_->chunk_decided(chunk, flags_);
  const StageTimer timer(times_, Stage::kWriteFlags);
  delivery_.add(chunk.raw, flags_);
}

void Pipeline::end_batch(const Chunk& last) {
  writes_.clear();
  resolver_.fill(writes_);
  writes_.meta.insert(writes_.meta.end(), last.positions.begin(), last.positions.end());
  {
    const StageTimer timer(times_, Stage::kWriteFlags);
    delivery_.before_commit(writes_);
  }
  StageClock clock;
  {
    const StageTimer timer(times_, Stage::kCommit);
    store_.commit(writes_);
  }
  std::chrono::nanoseconds write{0};
  clock.lap(write);
  if (reporter_) reporter_->batch_stored(write);
  resolver_.committed(writes_);
  delivery_.after_commit();
  chunks_.clear();
}

}  // namespace neardup
