// Match-count over postings of keywords (GENIE, Zhou et al. 2018, section 3): the documents that
// have enough keywords of a query, as MatchCounter (gpu/search/match_count.h) finds them on the
// host. Of those only the ones whose 1-bit sketches are near are kept, so that few go to the host.
#pragma once

#include "gpu/cuda/search/kernels/byte_counters.h"
#include "gpu/cuda/search/kernels/hit_lists.h"
#include "gpu/cuda/search/kernels/lists.h"
#include "gpu/cuda/search/kernels/packed_rows.h"
#include "gpu/search/keyword_probes.h"
#include "pipeline/model/keyword_postings.h"

namespace neardup::cuda {

// The 1-bit sketches of the documents of postings, by place.
struct PlacedRows {
  PackedRows rows;
  const u32* unknown;  // a bit for each place: there is no sketch; the document counts as near

  NEARDUP_HD bool is_near(u32 place, const u64* query, u32 limit) const {
    if ((unknown[place / 32] >> place % 32 & 1) != 0) return true;
    return differing_bits(rows.row(place), query, rows.words_each) <= limit;
  }
};

// Which documents a query finds.
struct MatchRule {
  const KeywordProbe* probes;  // of keyword_probes
  u32 probe_count;
  u32 gate;   // the least sum of weights. Requires: > 0; the largest possible sum is at most 255
  u32 limit;  // the most differing bits
};

// A group counts for the queries index, index + groups, … A document's counter is in memory of the
// device: those of 1 M documents do not fit into a block's, and a query touches few of them.
struct CountMatches {
  static constexpr u32 kThreads = kBlock;
  KeywordPostings postings;  // Requires: keywords × documents < 2^32
  PlacedRows documents;
  const std::uint16_t* keywords;  // of each query: postings.keywords, one for each position
  PackedRows queries;             // words_each as the documents
  MatchRule rule;
  u32 groups;
  u32* counters;          // counter_words() for each group; zeros at the start and at the end
  HitLists<u32> reached;  // a list of places for each query, each place once

  NEARDUP_HD u32 counter_words() const { return ByteCounters::words_of(postings.documents); }

  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    for (u32 query = index; query < queries.count; query += groups) count(group, index, query);
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
    const u32 lists = postings.keywords * rule.probe_count;
    const auto list_of = [&](u32 i) {
      const u32 position = i / rule.probe_count;
      return list(position, own[position] ^ rule.probes[i % rule.probe_count].mask);
    };
    const u64 walked =
        walk_lists<u32>(group, group.shared(), lists, list_of, [&](u32 i, u32 place) {
          const u32 weight = rule.probes[i % rule.probe_count].weight;
          const u32 before = counts.add<Group>(place, weight);
          if (before >= rule.gate || before + weight < rule.gate) return;
          if (!documents.is_near(place, queries.row(query), rule.limit)) return;
          reached.append<Group>(query, place);
        });
    if (walked >= words) return clear_words(group, counts.words, words);
    walk_lists<u32>(group, group.shared(), lists, list_of,
                    [&](u32, u32 place) { counts.clear(place); });
  }
};

template <class Launcher>
void count_matches(Launcher& launcher, const CountMatches& count) {
  const u32 groups = count.groups < count.queries.count ? count.groups : count.queries.count;
  if (groups > 0) launcher.launch(count, groups, kWalkBytes);
}

}  // namespace neardup::cuda
