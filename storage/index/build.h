// Makes generations by flushing a memtable and by merging neighbours.
#pragma once

#include <functional>
#include <vector>

#include "storage/generation/generation.h"
#include "storage/generation/sst_files.h"
#include "storage/index/memtable.h"
#include "storage/index/merge_journal.h"
#include "storage/index/seq_set.h"

namespace neardup {

// The prefix_bits of a generation with that many ids: its pages then have 1 to 3 KB on average.
unsigned prefix_bits_for(std::uint64_t ids);

// Writes the pages, filters and manifest of a memtable, without deleted documents. Number, epoch
// and purpose are those of `like`. The result has the filters in memory. Calls `progress` after
// each column.
Generation write_flush(const Memtable& memtable, const Manifest& like, std::uint64_t filter_bits,
                       const SeqSet& deleted, SstFiles& files,
                       const std::function<void()>& progress);

enum class MergeStep : std::uint8_t {
  kColumn,   // a column is complete
  kDone,     // the whole result is written
  kStopped,  // in the middle of a column; the merge must not be used any more
};

// Merges neighbours, a column a step, without deleted documents and those of seqs below
// `expired_before`.
class Merge {
 public:
  Merge(const RocksdbState& state, const std::vector<Manifest>& sources, std::uint32_t number,
        std::uint64_t filter_bits, Seq expired_before, SeqSet deleted);
  // Continues a saved merge. Requires: `sources` are those of the journal.
  Merge(const RocksdbState& state, std::vector<Manifest> sources, MergeJournal journal);

  // Calls `go_on` several times a second unless the disk hangs, and stops when it returns false.
  MergeStep step(const std::function<bool()>& go_on);

  // Makes the complete columns durable, so that a later run of the process need not merge them
  // again.
  void save();
  bool is_saved() const { return saved_; }
  double part_done() const {
    return static_cast<double>(journal_.result.columns.size()) / static_cast<double>(columns_);
  }

  const std::vector<Manifest>& sources() const { return sources_; }
  const Manifest& result() const { return journal_.result; }
  const SstFiles& files() const { return files_; }
  const SeqSet& deleted() const { return journal_.deleted; }  // what was dropped

 private:
  bool merge_column(std::size_t column, const std::function<bool()>& go_on);

  const RocksdbState& state_;
  std::vector<Manifest> sources_;
  MergeJournal journal_;
  SstFiles files_;
  std::size_t columns_ = 0;  // of the result
  bool saved_ = false;
  std::vector<std::uint64_t> postings_;  // reused
  std::vector<std::uint64_t> merged_;
};

}  // namespace neardup
