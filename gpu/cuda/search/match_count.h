// Match-count over postings of keywords (GENIE, Zhou et al. 2018, section 3): the documents that
// have enough keywords of a query. What MatchCounter (gpu/search/match_count.h) does on the host.
#pragma once

#include "gpu/cuda/search/byte_counters.h"
#include "gpu/cuda/search/hit_lists.h"
#include "gpu/cuda/search/lists.h"
#include "pipeline/core/keyword_postings.h"

namespace neardup::cuda {

// A group counts for the queries index, index + groups, … A document's counter is in memory of the
// device: those of 1 M documents do not fit into a block's, and a query touches few of them.
struct CountMatches {
  static constexpr u32 kThreads = kBlock;
  KeywordPostings postings;       // Requires: keywords × documents < 2^32
  const std::uint16_t* keywords;  // of each query: postings.keywords, one for each position
  u32 query_count;
  u32 gate;  // common keywords that a document needs. Requires: > 0
  u32 groups;
  u32* counters;          // counter_words() for each group; zeros at the start and at the end
  HitLists<u32> reached;  // a list of places for each query, each place once

  NEARDUP_HD u32 counter_words() const { return ByteCounters::words_of(postings.documents); }

  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    for (u32 query = index; query < query_count; query += groups) count(group, index, query);
  }

 private:
  NEARDUP_HD List<u32> list(u32 position, u32 value) const {
    const u32* const starts =
        postings.columns + u64{position} * (u64{kKeywordValues} + 1 + postings.documents);
    return {starts + kKeywordValues + 1 + starts[value], starts[value + 1] - starts[value]};
  }

  template <class Group>
  NEARDUP_HD void count(Group& group, u32 index, u32 query) const {
    const u32 words = counter_words();
    const ByteCounters counts{counters + u64{index} * words};
    const std::uint16_t* const own = keywords + u64{query} * postings.keywords;
    const auto list_of = [&](u32 position) { return list(position, own[position]); };
    const u64 walked =
        walk_lists<u32>(group, group.shared(), postings.keywords, list_of, [&](u32, u32 place) {
          if (counts.add<Group>(place, 1) + 1 == gate) reached.append<Group>(query, place);
        });
    if (walked >= words) return clear_words(group, counts.words, words);
    walk_lists<u32>(group, group.shared(), postings.keywords, list_of,
                    [&](u32, u32 place) { counts.clear(place); });
  }
};

template <class Launcher>
void count_matches(Launcher& launcher, const CountMatches& count) {
  const u32 groups = count.groups < count.query_count ? count.groups : count.query_count;
  if (groups > 0) launcher.launch(count, groups, kWalkBytes);
}

}  // namespace neardup::cuda
