// Finds documents by the hash of their content, by id, and by their LSH buckets. It is a list of
// immutable generations in RocksDB, and a memtable.
#pragma once

#include <rocksdb/write_batch.h>

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "pipeline/base/mutex.h"
#include "pipeline/base/team.h"
#include "storage/generation/columns.h"
#include "storage/index/compactor.h"
#include "storage/index/index_state.h"
#include "storage/index/lookup.h"
#include "storage/memory_plan.h"
#include "storage/rocksdb/state.h"
#include "storage/store.h"

namespace neardup {

class Index {
 public:
  // A commit is added by so many threads. With OpenMode::kReadOnly, no filters are loaded and
  // nothing is flushed; 1-bit sketches are loaded by `set_make`.
  Index(const RocksdbState& state, const MemoryPlan& memory, unsigned threads, OpenMode mode);

  // As Store::set_index. May be called after look-ups of ids and after commits.
  void set_make(const MakeIndexEntry& make);

  // Indexes the stored rows after the last generation, once. To be called before a commit changes
  // rows. Rethrows an error of the compactor.
  void prepare();
  // All smaller seqs are expired.
  void expire(Seq before);
  // Adds the postings of what a commit puts, perhaps while its rows are being written: calls
  // `await_rows` before documents whose rows may be missing could be flushed. May wait for a flush
  // or a merge. `find` and `one_bit` see them at once.
  void add(const WriteSet& writes, const std::function<void()>& await_rows);
  // Makes the commit visible to other threads, whose rows are written and whose postings were
  // added.
  void publish(const WriteSet& writes);

  // As Store::postings, by probes. Several threads at once, while nothing is added.
  void find(std::span<const Probe> probes, Seq after, std::size_t limit, PostingLists& lists);

  // The seqs that an id may have, oldest first, also those of a commit whose rows are being
  // written. Any thread, as `sketches`.
  std::vector<Seq> seqs_of_id(const IdKey& id);

  // The probe of an id.
  Probe probe(const IdKey& id) const { return {kIdColumn, hash_of(id, id_key_)}; }

  // As Store::one_bit.
  const std::uint64_t* one_bit(Seq seq);
  // As Store::sketches.
  std::shared_ptr<const SketchView> sketches();

  std::uint64_t postings();
  std::uint64_t memory_bytes();
  // Any thread.
  IndexStats stats();
  CommitWait commit_wait();

  // Merges everything into as few generations as possible, without deleted documents, and removes
  // the generations of an interrupted rebuild.
  void merge_all();

  // Builds the index of the next epoch, see build_next_epoch. Once `batch` is written, the rebuilt
  // index replaces this one when the state is opened again. Requires: nothing was looked up or
  // added.
  void rebuild(const MakeIndexEntry& make, std::uint64_t purpose,
               const std::function<void(Seq)>& progress, rocksdb::WriteBatch& batch);

 private:
  void read_stored(OpenMode mode);
  void take_saved_merge(std::span<const Manifest> current) REQUIRES(shared_.mutex);
  void open_generations() REQUIRES(shared_.mutex);
  void open_one_bits() REQUIRES(shared_.mutex);
  void take(std::span<const MemtableEntry> entries, const std::function<void()>& await_rows = {});
  void put(std::span<const MemtableEntry> entries);
  void switch_memtable();
  std::unique_ptr<const Memtable> take_memtable() REQUIRES(shared_.mutex);
  void publish_recent() REQUIRES(shared_.mutex);
  void rethrow();

  std::unique_ptr<IndexLookup> take_lookup() EXCLUDES(lookups_mutex_);

  const RocksdbState& state_;
  MemoryPlan memory_;
  std::uint64_t id_key_;
  MakeIndexEntry make_;
  Team team_;
  IndexState shared_;
  Mutex prepare_mutex_;
  std::atomic<bool> prepared_{false};
  bool complete_ = true;  // the memtable has the bands of all its documents
  Seq flushed_to_ = 0;    // end of the last generation when the index was opened
  Seq end_ = 0;           // all indexed seqs are smaller
  // The deciding thread changes it with the mutex of `shared_` held, and reads it without.
  std::unique_ptr<Memtable> memtable_ = std::make_unique<Memtable>();

  Mutex lookups_mutex_;
  std::vector<std::unique_ptr<IndexLookup>> lookups_ GUARDED_BY(lookups_mutex_);  // not in use

  std::unique_ptr<Compactor> compactor_;  // last: its thread ends before the rest is destroyed
};

}  // namespace neardup
