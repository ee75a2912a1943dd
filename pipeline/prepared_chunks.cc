#include "pipeline/prepared_chunks.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "pipeline/prepare.h"
#include "storage/control_group.h"

namespace neardup {
namespace {

constexpr std::size_t kChunksPerThread = 4;  // read ahead

ChunkQueue::Limits limits_of(const PrepareOptions& options) {
  return {kChunksPerThread * thread_count(options.cpu.threads), options.batch.max_bytes};
}

}  // namespace

PreparedChunks::PreparedChunks(const PrepareOptions& options, Backend& backend, StageTimes& times,
                               Source& source, const DecoderFactory& make_decoder,
                               const std::atomic<bool>& stop)
    : options_(options),
      backend_(backend),
      times_(times),
      source_(source),
      stop_(stop),
      queue_(limits_of(options)) {
  const std::uint32_t preparing = thread_count(options.cpu.threads);
  std::vector<std::unique_ptr<Decoder>> decoders;
  for (std::uint32_t i = 0; i < preparing; ++i) decoders.push_back(make_decoder());
  threads_.emplace_back([this] { read_all(); });
  for (std::unique_ptr<Decoder>& decoder : decoders) {
    threads_.emplace_back(
        [this, decoder = std::move(decoder)]() mutable { prepare_all(std::move(decoder)); });
  }
}

PreparedChunks::~PreparedChunks() {
  source_.interrupt();
  queue_.close();
  for (std::thread& thread : threads_) thread.join();
}

// The next chunk of the batch, or null at the end of the source.
std::unique_ptr<Chunk> PreparedChunks::read_chunk(Batch& batch) {
  const StageTimer timer(times_, Stage::kRead);
  const BatchOptions& limits = options_.batch;
  auto chunk = queue_.blank();
  const CallSize call = backend_.preferred_call();
  const auto most = std::min<std::uint64_t>(call.documents, limits.documents - batch.records);
  if (!source_.read(most, std::min(call.bytes, limits.max_bytes), chunk->raw)) return nullptr;
  batch.records += chunk->raw.records.size();
  batch.bytes += chunk->raw.buffer.size();
  if (chunk->raw.ends_batch || batch.records >= limits.documents ||
      batch.bytes >= limits.max_bytes) {
    chunk->ends_batch = true;
    chunk->positions = source_.positions();
    batch = {};
  }
  return chunk;
}

void PreparedChunks::read_all() {
  Batch batch;
  std::exception_ptr error;
  try {
    while (!stop_.load(std::memory_order_relaxed)) {
      auto chunk = read_chunk(batch);
      if (!chunk) break;
      if (!queue_.push(std::move(chunk))) return;
    }
  } catch (...) {
    error = std::current_exception();
  }
  // An empty chunk ends the last batch, since finding the end of an input changes the positions,
  // too. Without positions what was read of it is left out.
  try {
    auto last = std::make_unique<Chunk>();
    last->ends_batch = true;
    last->positions = source_.positions();
    queue_.push(std::move(last));
  } catch (...) {
    if (!error) error = std::current_exception();
  }
  queue_.finish(error);
}

void PreparedChunks::prepare_all(std::unique_ptr<Decoder> decoder) {
  Preparer preparer(options_.rule, options_.cpu.simd, std::move(decoder), backend_,
                    options_.keeps_raw_texts);
  while (Chunk* chunk = queue_.take()) {
    std::exception_ptr error;
    try {
      const StageTimer timer(times_, Stage::kPrepare);
      if (chunk->raw.sketched) {
        chunk->sketched = std::move(*chunk->raw.sketched);
        chunk->times = {};
      } else {
        chunk->times = preparer.prepare(chunk->raw, chunk->sketched);
      }
    } catch (...) {
      error = std::current_exception();
    }
    queue_.prepared(chunk, error);
  }
}

}  // namespace neardup
