// Where documents are found: by the hash of their content, by id, and by their LSH buckets. A list
// of immutable generations in RocksDB, and the memtable in memory.
#pragma once

#include <rocksdb/write_batch.h>

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "storage/generation/columns.h"
#include "storage/index/compactor.h"
#include "storage/index/deferred_probes.h"
#include "storage/index/index_state.h"
#include "storage/memory_plan.h"
#include "storage/rocksdb/state.h"
#include "storage/store.h"

namespace neardup {

class Index {
 public:
  // For reading, no filters are loaded and nothing is flushed.
  Index(const RocksdbState& state, const MemoryPlan& memory, OpenMode mode);

  // May come after the first look-up of an id or a commit.
  void set_make(const MakeIndexEntry& make);

  // To be called before a commit changes rows: what is in the store now is indexed first.
  void prepare();
  // All smaller seqs are deleted.
  void expire(Seq before);
  // Takes what a commit has put and erased. May wait for a flush.
  void add(const WriteSet& writes);

  // As Store::postings, by probes.
  void find(std::span<const Probe> probes, Seq after, std::size_t limit, PostingLists& lists);

  // The probe of an id.
  Probe probe(const IdKey& id) const { return {kIdColumn, hash_of(id, id_key_)}; }

  // As Store::one_bit.
  const std::uint64_t* one_bit(Seq seq);

  std::uint64_t postings();
  std::uint64_t memory_bytes();
  // Any thread.
  IndexStats stats();
  CommitWait commit_wait();

  // Puts everything into one generation, without deleted documents, and drops what a rebuild that
  // was cut off has left.
  void merge_all();

  // Builds the index again beside this one, see build_next_epoch; writing `batch` puts it in the
  // place of this one, when the state is opened again. Requires: nothing was looked up or added.
  void rebuild(const MakeIndexEntry& make, std::uint64_t purpose,
               const std::function<void(Seq)>& progress, rocksdb::WriteBatch& batch);

 private:
  void read_stored(OpenMode mode);
  void take_saved_merge(std::span<const Manifest> current) REQUIRES(shared_.mutex);
  void open_generations() REQUIRES(shared_.mutex);
  void take(std::span<const MemtableEntry> entries);
  void put_one_bits(std::span<const MemtableEntry> entries);
  void switch_memtable();
  std::unique_ptr<const Memtable> take_memtable() REQUIRES(shared_.mutex);
  void publish_recent();
  void rethrow();

  void find_copies(std::span<const Probe> probes);
  bool is_open(std::size_t place) const {
    return same_[place] == place && counts_[place] <= limit_;
  }
  bool hit(std::uint32_t place, Seq seq);
  void find_in_generation(const Generation& generation, std::span<const Probe> probes, Seq after)
      REQUIRES(shared_.mutex);
  void read_places(const Generation& generation, std::span<const Probe> probes, Seq after)
      REQUIRES(shared_.mutex);
  void find_in_memtable(const Memtable& memtable, std::span<const Probe> probes, Seq after)
      REQUIRES(shared_.mutex);
  void make_lists(PostingLists& lists);

  const RocksdbState& state_;
  MemoryPlan memory_;
  std::uint64_t id_key_;
  MakeIndexEntry make_;
  IndexState shared_;
  bool prepared_ = false;
  bool complete_ = true;  // the memtable has the bands of all its documents
  Seq flushed_to_ = 0;    // when the index was opened
  std::unique_ptr<Memtable> memtable_ = std::make_unique<Memtable>();

  // Of one call of find.
  std::size_t limit_ = 0;
  std::vector<Hit> hits_;
  std::vector<std::uint32_t> counts_;  // hits of each probe
  std::vector<std::uint32_t> ends_;    // of their seqs in seqs_
  std::vector<std::uint32_t> places_;
  DeferredProbes deferred_probes_;
  std::vector<std::uint32_t> same_;  // the probe of which this is a copy, or itself
  std::vector<std::uint32_t> seen_;  // some probe for each value of a few hash bits
  std::vector<Seq> seqs_;

  std::unique_ptr<Compactor> compactor_;  // ends first
};

}  // namespace neardup
