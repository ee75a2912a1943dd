// The part of the index in memory: postings of the documents since the last flush. Nothing of it is
// logged: it follows from the stored rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "storage/generation/columns.h"
#include "storage/index/posting_table.h"
#include "storage/index/seq_set.h"
#include "storage/memory_plan.h"
#include "storage/store.h"

namespace neardup {

// One id, and its document where it has one.
struct RecentEntry {
  Seq seq = 0;
  Hash40 id = 0;
  std::optional<Hash40> content = {};  // of its bucket; nothing: an id without a document
  const IndexEntry* index = nullptr;   // where there is a document
};

class Recent {
 public:
  Recent() : tables_(kFirstBandColumn) {}

  // Ascending, above all that was added before. Requires: all of them fit.
  void add(std::span<const RecentEntry> entries);
  // The first of `entries`, as many as fit: seqs may be far from each other.
  std::span<const RecentEntry> fitting(std::span<const RecentEntry> entries) const;

  // Calls visit(seq) for each posting at a probe that is not gone, ascending, until it returns
  // false. Returns how many it stepped over.
  template <class Visit>
  std::size_t find(const Probe& probe, const SeqSet& gone, Visit visit) const {
    if (probe.column >= tables_.size()) return 0;
    std::size_t dead = 0;
    tables_[probe.column].find(probe.hash, [&](std::uint32_t offset) {
      if (!gone.contains(first_ + offset)) return visit(first_ + offset);
      ++dead;
      return true;
    });
    return dead;
  }
  // Where a look-up begins to read; null: nowhere.
  const void* address(const Probe& probe) const {
    return probe.column < tables_.size() ? tables_[probe.column].address(probe.hash) : nullptr;
  }
  // Drops postings at a probe that are gone.
  void forget(const Probe& probe, const SeqSet& gone);

  bool empty() const { return end_ == 0; }
  Seq first() const { return first_; }  // its seqs: [first, end)
  Seq end() const { return end_; }
  std::size_t ids() const { return tables_[kIdColumn].size(); }
  std::size_t postings() const;
  std::uint64_t memory_bytes() const;
  const std::vector<PostingTable>& tables() const { return tables_; }  // one a column

 private:
  void add_bands(std::span<const RecentEntry> entries);

  Seq first_ = 0;
  Seq end_ = 0;
  std::vector<PostingTable> tables_;
};

// Is it time to flush?
inline bool is_full(const Recent& recent, const MemoryPlan& memory) {
  return recent.ids() >= PostingTable::most_postings(memory.recent / recent.tables().size());
}

}  // namespace neardup
