// The thread that flushes memtables and merges generations in the background.
#pragma once

#include <chrono>
#include <memory>
#include <thread>

#include "storage/index/build.h"
#include "storage/index/index_state.h"
#include "storage/rocksdb/state.h"

namespace neardup {

class Compactor {
 public:
  // `filters`: bytes for filters. `lookup`: bytes for filters and 1-bit sketches together.
  Compactor(const RocksdbState& state, IndexState& shared, std::uint64_t filters,
            std::uint64_t lookup);
  // Abandons an incomplete merge; the next run continues it from where it was last saved.
  ~Compactor();

 private:
  void run();
  bool has_work() const REQUIRES(shared_.mutex);
  bool work();
  void count(bool flushes, bool ends, std::chrono::duration<double> time);
  void flush(const Memtable& memtable);
  bool go_on();
  bool continue_merge();
  void begin_merge();
  void save_merge();
  void finish_merge();
  void take_over(std::size_t column);
  void drop_expired();
  RunTags tags_of(std::uint64_t run);
  void write_tags(Seq first, Seq end);
  void put_tags_without(std::span<const Seq> seqs, rocksdb::WriteBatch& batch);
  void forget_deleted(std::vector<Seq> seqs);
  void share_memory();

  const RocksdbState& state_;
  IndexState& shared_;
  std::uint64_t filters_;
  std::uint64_t lookup_;
  std::unique_ptr<Merge> merge_;
  bool merges_all_ = false;  // merge_ was begun with IndexState::merge_all set
  std::chrono::steady_clock::time_point saved_at_;
  std::thread thread_;
};

}  // namespace neardup
