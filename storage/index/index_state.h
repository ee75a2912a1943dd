// State shared by the threads of an index: the deciding thread, which commits, those that look up,
// and the compactor, which flushes and merges.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "pipeline/base/mutex.h"
#include "storage/index/memtable.h"
#include "storage/index/merge_choice.h"
#include "storage/index/merge_journal.h"
#include "storage/index/one_bit/one_bits.h"
#include "storage/index/seq_set.h"
#include "storage/stats.h"

namespace neardup {

// Written by the deciding thread.
struct CommitSide {
  // The deciding thread alone may read the sketches without the mutex.
  OneBits one_bits;
  // All indexed seqs are smaller.
  Seq end = 0;
  // Size of the memtable that fills, as of the last commit.
  std::uint64_t memtable_postings = 0;
  std::uint64_t memtable_bytes = 0;
  double wait_seconds = 0;  // of commits whose wait is over
  // Since when a commit waits.
  std::optional<std::chrono::steady_clock::time_point> waits_since;
};

// Written by the compactor.
struct CompactorSide {
  CompactorWork flushes;
  CompactorWork merges;
  double merge_done = 0;  // share of the current merge that is done
  Seq merged_to = 0;      // with IndexState::merge_all: everything below is merged
  std::exception_ptr failure;
};

struct IndexState {
  mutable SharedMutex mutex;
  WriterCondition changed;

  // Written by both: the deciding thread fills, the compactor empties.
  Generations generations GUARDED_BY(mutex);
  // The memtable that is being flushed.
  std::unique_ptr<const Memtable> immutable GUARDED_BY(mutex);
  // Full memtables that are not flushed (read-only, or without bands), by seq.
  std::vector<std::unique_ptr<const Memtable>> parked GUARDED_BY(mutex);
  // Deleted documents that may still have postings.
  SeqSet deleted GUARDED_BY(mutex);
  // All smaller seqs are expired.
  Seq expired_before GUARDED_BY(mutex) = 0;
  std::uint32_t next_number GUARDED_BY(mutex) = 1;
  // A template with the epoch and purpose of new generations.
  Manifest like GUARDED_BY(mutex);
  // A merge of an earlier run that is to be continued.
  std::optional<MergeJournal> saved_merge GUARDED_BY(mutex);
  // Set: merge to as few generations as possible, without deleted documents.
  bool merge_all GUARDED_BY(mutex) = false;

  CommitSide commit GUARDED_BY(mutex);
  CompactorSide compactor GUARDED_BY(mutex);

  // `stop` is set with the mutex held; `progress` grows as the compactor works.
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> progress{0};

  double waiting_seconds() const REQUIRES(mutex) {
    if (!commit.waits_since) return 0;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - *commit.waits_since)
        .count();
  }

  // The neighbours to merge next.
  Neighbours to_merge() const REQUIRES(mutex) {
    return merge_all ? all_neighbours(generations, compactor.merged_to)
                     : neighbours_to_merge(generations);
  }

  // Whether a commit has to wait for a merge. It does not if no merge is possible because the seqs
  // of the generations are too far apart.
  bool too_many_unmerged() const REQUIRES(mutex) {
    constexpr auto kMost = 32;
    const auto is_unmerged = [](const auto& generation) { return generation->manifest.level == 0; };
    return std::count_if(generations.begin(), generations.end(), is_unmerged) >= kMost &&
           !to_merge().empty();
  }

  std::uint64_t filter_bytes() const REQUIRES(mutex) {
    std::uint64_t sum = 0;
    for (const auto& generation : generations) sum += generation->filter_bytes();
    return sum;
  }
};

}  // namespace neardup
