// Chunks on their way from the source to resolve: read by one thread, prepared by several in any
// order, handed out in the order they were read. Bounded, so that a fast source cannot fill the
// memory.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/core/sketched_batch.h"
#include "pipeline/ports.h"
#include "pipeline/stage_clock.h"

namespace neardup {

struct Chunk {
  RawChunk raw;
  SketchedBatch sketched;
  PrepareTimes times;  // once it is prepared
  bool ends_batch = false;
  std::vector<std::pair<std::string, std::string>>
      positions;  // with ends_batch: of the source, to store
};

class ChunkQueue {
 public:
  struct Limits {
    std::size_t chunks = 0;
    std::uint64_t bytes = 0;  // of raw records
  };
  explicit ChunkQueue(Limits limits) : limits_(limits) {}

  // The reader: a chunk to fill, a used one if there is one.
  std::unique_ptr<Chunk> blank();
  // The reader: waits for room and adds a chunk; false when the queue was closed from the other
  // end.
  bool push(std::unique_ptr<Chunk> chunk);
  // The reader: nothing more comes; with an error, `pop` throws it after the last chunk.
  void finish(const std::exception_ptr& error = nullptr);

  // A worker: the next chunk that nobody prepares yet, or null when there will be none.
  Chunk* take();
  // A worker: that chunk is prepared, or failed.
  void prepared(Chunk* chunk, const std::exception_ptr& error = nullptr);

  // Resolve: waits for the next chunk, the end, or `wake`. True: it was woken.
  bool wait();
  // Any thread: ends the `wait` at hand, or the next one.
  void wake();
  // Resolve: the next chunk in order, once it is prepared; null at the end.
  std::unique_ptr<Chunk> pop();
  // Resolve: a chunk that is no longer needed.
  void recycle(std::unique_ptr<Chunk> chunk);
  // Resolve: nothing more is wanted; everybody else stops.
  void close();

 private:
  struct Slot {
    std::unique_ptr<Chunk> chunk;
    std::uint64_t bytes = 0;
    bool ready = false;
    std::exception_ptr error;
  };

  bool can_pop() const;

  const Limits limits_;
  std::mutex mutex_;
  std::condition_variable room_;
  std::condition_variable work_;
  std::condition_variable ready_;
  // Guarded by mutex_:
  std::deque<Slot> slots_;
  std::size_t taken_ = 0;  // slots_[0 … taken_) are with a worker or ready
  std::vector<std::unique_ptr<Chunk>> used_;
  std::uint64_t bytes_ = 0;
  bool finished_ = false;
  bool closed_ = false;
  bool woken_ = false;
  std::exception_ptr error_;
};

}  // namespace neardup
