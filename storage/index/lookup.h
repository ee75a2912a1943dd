// One look-up in the index at a time, with the memory that it needs. Several threads may look up at
// once, each with its own object.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "storage/index/deferred_probes.h"
#include "storage/index/index_state.h"
#include "storage/rocksdb/state.h"
#include "storage/store.h"

namespace neardup {

class IndexLookup {
 public:
  // `make` may be empty. The references must outlive this.
  IndexLookup(const RocksdbState& state, const IndexState& shared, const MakeIndexEntry& make)
      : state_(state), shared_(shared), make_(make) {}

  // As Store::postings, by probes; `memtable` is the one that fills.
  void find(const Memtable& memtable, std::span<const Probe> probes, Seq after, std::size_t limit,
            PostingLists& lists) EXCLUDES(shared_.mutex);

  // The probes of the last call for which `memtable` has many postings of deleted documents. Unless
  // these are dropped, a document that changes often leaves a long list of its old versions.
  std::span<const Probe> crowded() const { return crowded_; }

 private:
  void find_copies(std::span<const Probe> probes);
  bool is_open(std::size_t place) const {
    return same_[place] == place && counts_[place] <= limit_;
  }
  bool hit(std::uint32_t place, Seq seq);
  void find_in_generation(const Generation& generation, std::span<const Probe> probes, Seq after)
      REQUIRES_SHARED(shared_.mutex);
  void read_places(const Generation& generation, std::span<const Probe> probes, Seq after)
      REQUIRES_SHARED(shared_.mutex);
  void find_in_memtable(const Memtable& memtable, std::span<const Probe> probes, Seq after)
      REQUIRES_SHARED(shared_.mutex);
  void make_lists(PostingLists& lists);

  const RocksdbState& state_;
  const IndexState& shared_;
  const MakeIndexEntry& make_;
  std::size_t limit_ = 0;
  std::vector<Hit> hits_;
  std::vector<std::uint32_t> counts_;  // hits of each probe
  std::vector<std::uint32_t> ends_;    // of their seqs in seqs_
  std::vector<std::uint32_t> places_;
  DeferredProbes deferred_probes_;
  std::vector<std::uint32_t> same_;  // the equal probe that is looked up for this one, or itself
  std::vector<std::uint32_t> seen_;  // a recent probe for each value of some hash bits
  std::vector<Seq> seqs_;
  std::vector<Probe> crowded_;
};

}  // namespace neardup
