// Making generations: by flushing the memtable, and by merging neighbours.
#pragma once

#include <functional>
#include <vector>

#include "storage/generation/generation.h"
#include "storage/generation/sst_files.h"
#include "storage/index/memtable.h"
#include "storage/index/merge_journal.h"
#include "storage/index/seq_set.h"

namespace neardup {

// How wide pages are made: 1 to 3 KB on average.
unsigned prefix_bits_for(std::uint64_t ids);

// Writes the pages, filters and manifest of a memtable, without deleted documents. Number and epoch
// are those of `like`. The filters stay in the result. Calls `progress` after each column.
Generation write_flush(const Memtable& memtable, const Manifest& like, std::uint64_t filter_bits,
                       const SeqSet& deleted, SstFiles& files,
                       const std::function<void()>& progress);

enum class MergeStep : std::uint8_t {
  kColumn,   // a column is complete
  kDone,     // all is written
  kStopped,  // in the middle of a column; the merge must not be used any more
};

// Merges neighbours, a column a step, without deleted documents and those of seqs below
// `expired_before`.
class Merge {
 public:
  Merge(const RocksdbState& state, std::vector<Manifest> sources, std::uint32_t number,
        std::uint64_t filter_bits, Seq expired_before, SeqSet deleted);
  // Continues a merge that was saved. Requires: `sources` are those of the journal.
  Merge(const RocksdbState& state, std::vector<Manifest> sources, MergeJournal journal);

  // Calls `go_on` again and again, some times a second unless the disk hangs; false from it stops.
  MergeStep step(const std::function<bool()>& go_on);

  // The columns that are complete will not have to be merged again by a later run of the process.
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
