// The part of the index in memory: the postings of documents since the last flush. It is not
// logged, since it can be rebuilt from the stored rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "storage/generation/columns.h"
#include "storage/index/posting_table.h"
#include "storage/index/seq_set.h"
#include "storage/memory_plan.h"
#include "storage/sketch_view.h"
#include "storage/store.h"

namespace neardup {

// One id, and its document if it has one.
struct MemtableEntry {
  Seq seq = 0;
  Hash40 id = 0;
  std::optional<Hash40> content = {};  // of its content bucket; nothing: no document
  const IndexEntry* index = nullptr;   // not owned; null: no document or no bands
  NamespaceTag tag = 0;                // of its document

  bool has_sketch() const { return index != nullptr && !index->one_bit.empty(); }
};

class Memtable {
 public:
  Memtable() : tables_(kFirstBandColumn) {}

  // Requires: seqs ascending and above all earlier ones, and all of them fit (`fitting`).
  void add(std::span<const MemtableEntry> entries);
  // The same in steps: `add` of each column in `tables` follows.
  void begin(std::span<const MemtableEntry> entries);
  // Adds their postings of one column. Several threads at once, of different columns.
  void add(std::size_t column, std::span<const MemtableEntry> entries);
  // The first of `entries`, as many as fit. Entries with seqs too far from `first` do not.
  std::span<const MemtableEntry> fitting(std::span<const MemtableEntry> entries) const;

  // Calls visit(seq) for each posting of a live document at a probe, ascending, until it returns
  // false. Returns how many it stepped over.
  template <class Visit>
  std::size_t find(const Probe& probe, const SeqSet& deleted, Visit visit) const {
    if (probe.column >= tables_.size()) return 0;
    std::size_t skipped = 0;
    tables_[probe.column].find(probe.hash, [&](std::uint32_t offset) {
      if (!deleted.contains(first_ + offset)) return visit(first_ + offset);
      ++skipped;
      return true;
    });
    return skipped;
  }
  // The address where a look-up starts, to be prefetched; null: none.
  const void* address(const Probe& probe) const {
    return probe.column < tables_.size() ? tables_[probe.column].address(probe.hash) : nullptr;
  }
  // Drops the postings of deleted documents at a probe.
  void forget(const Probe& probe, const SeqSet& deleted);

  bool empty() const { return end_ == 0; }
  Seq first() const { return first_; }  // its seqs: [first, end)
  Seq end() const { return end_; }
  std::size_t ids() const { return tables_[kIdColumn].size(); }
  std::size_t postings() const;
  std::uint64_t memory_bytes() const;
  const std::vector<PostingTable>& tables() const { return tables_; }  // one a column

 private:
  Seq first_ = 0;
  Seq end_ = 0;
  std::vector<PostingTable> tables_;
};

// Is it time to flush?
inline bool is_full(const Memtable& memtable, const MemoryPlan& memory) {
  return memtable.ids() >= PostingTable::most_postings(memory.memtable / memtable.tables().size());
}

}  // namespace neardup
