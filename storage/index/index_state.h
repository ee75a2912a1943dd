// What the index is made of at a moment: shared by the thread that looks up and the one that
// flushes and merges.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "pipeline/core/mutex.h"
#include "storage/index/memtable.h"
#include "storage/index/merge_choice.h"
#include "storage/index/merge_journal.h"
#include "storage/index/one_bits.h"
#include "storage/index/seq_set.h"
#include "storage/stats.h"

namespace neardup {

struct Layout {
  mutable Mutex mutex;
  ConditionVariable changed;

  Generations generations GUARDED_BY(mutex);
  // On its way into a generation.
  std::unique_ptr<const Recent> frozen GUARDED_BY(mutex);
  // May not be flushed: by seq.
  std::vector<std::unique_ptr<const Recent>> parked GUARDED_BY(mutex);
  // Changed with the mutex held by the thread that looks up, which alone may read it without.
  OneBits one_bits GUARDED_BY(mutex);
  // Documents that ended and may have postings.
  SeqSet gone GUARDED_BY(mutex);
  // All below are gone, too.
  Seq expired_before GUARDED_BY(mutex) = 0;
  std::uint32_t next_number GUARDED_BY(mutex) = 1;
  // Epoch and purpose of new generations.
  Manifest like GUARDED_BY(mutex);

  // Of the part that fills, as of the last commit.
  std::uint64_t recent_postings GUARDED_BY(mutex) = 0;
  std::uint64_t recent_bytes GUARDED_BY(mutex) = 0;
  MaintenanceWork flushes GUARDED_BY(mutex);
  MaintenanceWork merges GUARDED_BY(mutex);
  // Part of the merge in progress.
  double merge_done GUARDED_BY(mutex) = 0;
  // Of commits that wait no longer.
  double wait_seconds GUARDED_BY(mutex) = 0;
  // Since when a commit waits.
  std::optional<std::chrono::steady_clock::time_point> waits_since GUARDED_BY(mutex);
  // Of the last run, to be continued.
  std::optional<MergeJournal> saved_merge GUARDED_BY(mutex);

  // Wanted: as few generations as possible, without what is gone.
  bool merge_all GUARDED_BY(mutex) = false;
  // With merge_all: all below is merged.
  Seq merged_to GUARDED_BY(mutex) = 0;
  std::exception_ptr failure GUARDED_BY(mutex);

  // `stop` is set with the mutex held; `progress` grows as maintenance gets on.
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> progress{0};

  double waiting_seconds() const REQUIRES(mutex) {
    if (!waits_since) return 0;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - *waits_since).count();
  }

  // What is to be merged next.
  Neighbours to_merge() const REQUIRES(mutex) {
    return merge_all ? all_neighbours(generations, merged_to) : neighbours_to_merge(generations);
  }

  // Writing has to wait for a merge. Generations that no merge can take, as their seqs are too far
  // apart, are not waited for.
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
