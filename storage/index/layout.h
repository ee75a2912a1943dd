// What the index is made of at a moment: shared by the thread that looks up and the one that
// flushes and merges.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "storage/index/merge_choice.h"
#include "storage/index/merge_journal.h"
#include "storage/index/one_bits.h"
#include "storage/index/recent.h"
#include "storage/index/seq_set.h"
#include "storage/readings.h"

namespace neardup {

struct Layout {
  std::mutex mutex;  // guards all that follows, unless it says otherwise
  std::condition_variable changed;

  Generations generations;
  std::unique_ptr<const Recent> frozen;               // on its way into a generation
  std::vector<std::unique_ptr<const Recent>> parked;  // may not be flushed: by seq
  OneBits one_bits;                                   // changed by the thread that looks up only
  SeqSet gone;                                        // documents that ended and may have postings
  Seq expired_before = 0;                             // all below are gone, too
  std::uint32_t next_number = 1;
  Manifest like;  // epoch and purpose of new generations

  std::uint64_t recent_postings = 0;  // of the part that fills, as of the last commit
  std::uint64_t recent_bytes = 0;
  MaintenanceWork flushes;
  MaintenanceWork merges;
  double merge_done = 0;    // part of the merge in progress
  double wait_seconds = 0;  // of commits that wait no longer
  std::optional<std::chrono::steady_clock::time_point> waits_since;  // of a commit
  std::optional<MergeJournal> saved_merge;  // of the last run, to be continued

  bool merge_all = false;  // wanted: as few generations as possible, without what is gone
  Seq merged_to = 0;       // with merge_all: all below is merged
  std::exception_ptr failure;

  // Not guarded. `stop` is set with the mutex held; `progress` grows as maintenance gets on.
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> progress{0};

  double waiting_seconds() const {
    if (!waits_since) return 0;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - *waits_since).count();
  }

  // What is to be merged next.
  Neighbours to_merge() const {
    return merge_all ? all_neighbours(generations, merged_to) : neighbours_to_merge(generations);
  }

  // Writing has to wait for a merge. Generations that no merge can take, as their seqs are too far
  // apart, are not waited for.
  bool too_many_unmerged() const {
    constexpr auto kMost = 32;
    const auto is_unmerged = [](const auto& generation) { return generation->manifest.level == 0; };
    return std::count_if(generations.begin(), generations.end(), is_unmerged) >= kMost &&
           !to_merge().empty();
  }

  std::uint64_t filter_bytes() const {
    std::uint64_t sum = 0;
    for (const auto& generation : generations) sum += generation->filter_bytes();
    return sum;
  }
};

}  // namespace neardup
