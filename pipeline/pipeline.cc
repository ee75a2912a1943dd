#include "pipeline/pipeline.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <utility>

#include "pipeline/rule/index_entry.h"
#include "storage/control_group.h"

namespace neardup {
namespace {

constexpr std::chrono::milliseconds kMostSavedReading{20};  // until chunks wait again

// What is looked up together, unless a chunk alone has more: more waiting texts would take memory.
constexpr std::size_t kMostTogether = 4096;                        // records
constexpr std::uint64_t kBytesPerThread = std::uint64_t{1} << 19;  // of raw text

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
  try {
    decide_all(chunks.queue(), progress, tasks);
    finish_batch();
  } catch (...) {
    abandon_batch();
    throw;
  }
}

void Pipeline::decide_batch(const Chunk& chunk) {
  const SketchedBatch* sketched = &chunk.sketched;
  try {
    resolver_.look_up({&sketched, 1});
    decide(chunk, 0);
    end_batch(chunk, [] {});
    finish_batch();
  } catch (...) {
    abandon_batch();
    throw;
  }
}

void Pipeline::decide_all(ChunkQueue& queue, const Progress& progress, StateTasks* tasks) {
  const auto wake = [&queue] { queue.wake(); };
  std::optional<AcceptStateTasks> open;
  if (tasks != nullptr) open.emplace(*tasks, wake);
  std::optional<AcceptStateTasks> open_reads;
  if (reads_ != nullptr) open_reads.emplace(*reads_, wake);
  for (bool between_batches = true;;) {
    do_tasks(queue, between_batches ? tasks : nullptr);
    if (!take_group(queue)) return;
    between_batches = group_.back()->ends_batch;
    decide_group(queue, progress);
  }
}

// Waits for the next chunk, and takes with it those that are ready behind it. False: nothing comes
// any more.
bool Pipeline::take_group(ChunkQueue& queue) {
  std::unique_ptr<Chunk> chunk = queue.pop();
  if (!chunk) return false;
  const std::uint64_t most_bytes = kBytesPerThread * thread_count(options_.cpu.threads);
  std::size_t records = 0;
  std::uint64_t bytes = 0;
  for (; chunk; chunk = queue.pop_ready()) {
    records += chunk->sketched.size();
    bytes += chunk->sketched.input_bytes;
    group_.push_back(std::move(chunk));
    if (group_.back()->ends_batch || records >= kMostTogether || bytes >= most_bytes) break;
  }
  return true;
}

void Pipeline::decide_group(ChunkQueue& queue, const Progress& progress) {
  StageClock clock;
  std::chrono::nanoseconds took{0};
  {
    const StageTimer timer(times_, Stage::kResolve);
    std::vector<const SketchedBatch*> chunks;
    for (const auto& chunk : group_) chunks.push_back(&chunk->sketched);
    resolver_.look_up(chunks);
  }
  for (std::size_t n = 0; !group_.empty(); ++n) {
    decide(*group_.front(), n);
    std::unique_ptr<Chunk> chunk = std::move(group_.front());
    group_.pop_front();
    finish_batch_if_written();
    if (chunk->ends_batch) end_batch(*chunk, [&queue] { queue.wake(); });
    let_go(queue, std::move(chunk));
    progress(counts_);
    clock.lap(took);
    reading_.others_took(std::exchange(took, {}));
    if (reads_ != nullptr && !group_.empty()) do_reads(queue);
    clock = {};
  }
}

void Pipeline::let_go(ChunkQueue& queue, std::unique_ptr<Chunk> chunk) {
  if (options_.keep_texts == KeepTexts::kNone) {
    queue.recycle(std::move(chunk));
    return;
  }
  chunk->raw = RawChunk();
  chunk->sketched.keep_one_text_each();
  (chunk->ends_batch ? written_.chunks : chunks_).push_back(std::move(chunk));
}

// Runs tasks and reads until the next chunk is ready. A wake-up for a task in the middle of a batch
// takes effect at the end of the batch.
void Pipeline::do_tasks(ChunkQueue& queue, StateTasks* tasks) {
  do {
    finish_batch_if_written();
    if (tasks != nullptr) tasks->do_all(*this);
    if (reads_ != nullptr) do_reads(queue);
  } while (queue.wait());
}

void Pipeline::do_reads(ChunkQueue& queue) {
  while (reading_.is_left() || !chunks_wait(queue)) {
    StageClock clock;
    if (!reads_->do_next(*this)) return;
    std::chrono::nanoseconds took{0};
    clock.lap(took);
    if (chunks_wait(queue)) reading_.took(took);
  }
}

// What is read from here is durable.
Store& Pipeline::store() {
  finish_batch();
  return store_;
}

void Pipeline::commit(const WriteSet& writes) {
  finish_batch();
  resolver_.ends(writes.erase_documents);
  store_.commit(writes);
}

// Decides chunk n of the look-up.
void Pipeline::decide(const Chunk& chunk, std::size_t n) {
  flags_.clear();
  {
    const StageTimer timer(times_, Stage::kResolve);
    const StageTimer serial(times_, Stage::kDecideSerial);
    resolver_.resolve(n, flags_);
  }
  counts_.input_bytes += chunk.sketched.input_bytes;
  for (const Flag& flag : flags_) ++counts_.by_status[static_cast<std::size_t>(flag.status)];
  count_notices(chunk.sketched.records, counts_.notices);
  if (reporter_) reporter_->chunk_decided(chunk, flags_);
  const StageTimer timer(times_, Stage::kWriteFlags);
  delivery_.add(chunk.raw, flags_);
}

// `wake` is called when the batch is written, perhaps in another thread.
void Pipeline::end_batch(const Chunk& last, std::function<void()> wake) {
  finish_batch();
  WriteSet& writes = written_.writes;
  writes.clear();
  written_.chunks = std::exchange(chunks_, {});
  resolver_.fill(writes);
  writes.meta.insert(writes.meta.end(), last.positions.begin(), last.positions.end());
  {
    const StageTimer timer(times_, Stage::kWriteFlags);
    delivery_.before_commit(writes);
  }
  if (reporter_) reporter_->batch_decided();
  const StageTimer timer(times_, Stage::kCommit);
  written_.is_open = true;
  written_.began = std::chrono::steady_clock::now();
  store_.begin_commit(writes, [this, wake = std::move(wake)] {
    written_.ended = std::chrono::steady_clock::now();
    wake();
  });
  resolver_.committed(writes);
  if (!store_.commit_has_ended()) return;
  written_.ended = std::chrono::steady_clock::now();
  finish_batch();
}

void Pipeline::finish_batch_if_written() {
  if (store_.commit_has_ended()) finish_batch();
}

void Pipeline::finish_batch() {
  if (!std::exchange(written_.is_open, false)) return;
  {
    const StageTimer timer(times_, Stage::kCommit);
    store_.finish_commit();
  }
  if (reporter_) reporter_->batch_stored(std::max(written_.ended, written_.began) - written_.began);
  delivery_.after_commit();
  written_.chunks.clear();
}

// After a failure: waits until nothing of this is written any more.
void Pipeline::abandon_batch() {
  try {
    store_.finish_commit();
  } catch (const std::exception&) {
    return;  // the failure to tell of came first
  }
}

}  // namespace neardup
