// Chunks on their way from the source to resolve: read by one thread, prepared by several in any
// order, handed out in the order they were read. Bounded, so that a fast source cannot fill the
// memory.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/base/mutex.h"
#include "pipeline/model/sketched_batch.h"
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

  // The reader: a chunk to fill, recycled if possible.
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
  // Resolve: waits for the next chunk or the end, at most until `deadline`. False: neither is
  // there.
  bool wait_until(std::chrono::steady_clock::time_point deadline);
  // Resolve: is the next chunk, or the end, there already?
  bool is_ready();
  // Any thread: ends the current `wait`, or the next one.
  void wake();
  // Resolve: the next chunk in order, once it is prepared; null at the end.
  std::unique_ptr<Chunk> pop();
  // Resolve: the next chunk in order, if it is prepared already; else, or where it has failed,
  // null.
  std::unique_ptr<Chunk> pop_ready();
  // Resolve: a chunk that is no longer needed.
  void recycle(std::unique_ptr<Chunk> chunk);
  // Resolve: stops the reader and the workers.
  void close();

 private:
  struct Slot {
    std::unique_ptr<Chunk> chunk;
    std::uint64_t bytes = 0;
    bool ready = false;
    std::exception_ptr error;
  };

  bool has_room() const REQUIRES(mutex_);
  bool can_pop() const REQUIRES(mutex_);
  Slot take_first() REQUIRES(mutex_);

  const Limits limits_;
  Mutex mutex_;
  ConditionVariable room_;
  ConditionVariable work_;
  ConditionVariable ready_;
  std::deque<Slot> slots_ GUARDED_BY(mutex_);
  // slots_[0 … taken_) are with a worker or ready.
  std::size_t taken_ GUARDED_BY(mutex_) = 0;
  std::vector<std::unique_ptr<Chunk>> used_ GUARDED_BY(mutex_);
  std::uint64_t bytes_ GUARDED_BY(mutex_) = 0;
  bool finished_ GUARDED_BY(mutex_) = false;
  bool closed_ GUARDED_BY(mutex_) = false;
  bool woken_ GUARDED_BY(mutex_) = false;
  std::exception_ptr error_ GUARDED_BY(mutex_);
};

}  // namespace neardup
