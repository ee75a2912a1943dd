// source → chunks → decode, normalise, sketch: one thread reads and several prepare, ahead of the
// thread that takes the chunks in the order in which they were read.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "gpu/backend.h"
#include "metrics/stage_times.h"
#include "pipeline/chunk_queue.h"
#include "pipeline/ports.h"
#include "pipeline/rule/options.h"
#include "pipeline/rule/rule.h"

namespace neardup {

using DecoderFactory = std::function<std::unique_ptr<Decoder>()>;

struct PrepareOptions {
  Rule rule;
  CpuOptions cpu;
  BatchOptions batch;
  bool keeps_raw_texts = false;
};

class PreparedChunks {
 public:
  // Reads `source` up to its end, or up to the next chunk after `stop` was set. The last chunk is
  // an empty one that ends its batch. An exception of the source comes after it. All references
  // must outlive this.
  PreparedChunks(const PrepareOptions& options, Backend& backend, StageTimes& times, Source& source,
                 const DecoderFactory& make_decoder, const std::atomic<bool>& stop);
  // Interrupts the source, and drops the chunks that were not taken.
  ~PreparedChunks();
  PreparedChunks(const PreparedChunks&) = delete;
  PreparedChunks& operator=(const PreparedChunks&) = delete;

  ChunkQueue& queue() { return queue_; }

 private:
  // Of the batch that is being read.
  struct Batch {
    std::uint64_t records = 0;
    std::uint64_t bytes = 0;
  };

  void read_all();
  std::unique_ptr<Chunk> read_chunk(Batch& batch);
  void prepare_all(std::unique_ptr<Decoder> decoder);

  const PrepareOptions options_;
  Backend& backend_;
  StageTimes& times_;
  Source& source_;
  const std::atomic<bool>& stop_;
  ChunkQueue queue_;
  std::vector<std::thread> threads_;
};

}  // namespace neardup
