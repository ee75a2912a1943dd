// Postings of any 32-bit keywords, for match-counts where lists are long (GENIE, Zhou et al. 2018,
// section 3). An object with values of m functions below D has the keywords j · D + value.
//
// The objects are cut into segments whose counters fit into a core's cache and whose places have
// 16 bits. This is the paper's load balance, since no list of a segment is long, and its multiple
// loading, since a segment needs no other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gpu/search/keyword_ranks.h"

namespace neardup {

inline constexpr std::uint32_t kSegmentObjects = 1 << 16;

// One item of a query: neighbouring keywords, both ends included. It matches an object as many
// times as the object has keywords in it.
struct KeywordRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

class DensePostings {
 public:
  // The lists of a range of keywords, which lie side by side in each segment: from the list `begin`
  // up to the list before `end`.
  struct Lists {
    std::uint32_t begin;
    std::uint32_t end;
  };
  // Places of objects in a segment; not owned.
  using Places = std::span<const std::uint16_t>;

  // Appends the keywords of an object, in any order. One that comes twice counts twice.
  using AppendKeywords = std::function<void(std::uint32_t object, std::vector<std::uint32_t>&)>;

  // `append` is called twice for each object, from several threads, and says the same each time.
  // Requires: fewer than 2^32 keywords, repetitions included, of the objects of a segment.
  DensePostings(std::uint32_t objects, const AppendKeywords& append, std::uint32_t threads);

  std::uint32_t objects() const { return objects_; }
  std::uint32_t segments() const { return static_cast<std::uint32_t>(segments_.size()); }
  // Of the lists: 2 a keyword of an object, and 4 a segment and different keyword.
  std::size_t bytes() const;

  // Requires: range.first <= range.last.
  Lists lists(const KeywordRange& range) const {
    return {ranks_.below(range.first), ranks_.below(std::uint64_t{range.last} + 1)};
  }
  Places places(std::uint32_t segment, const Lists& lists) const {
    const Segment& from = segments_[segment];
    const std::uint32_t begin = from.starts[lists.begin];
    return {from.places.data() + begin, from.starts[lists.end] - begin};
  }
  // Fetches what `places` reads.
  void prefetch(std::uint32_t segment, const Lists& lists) const {
    __builtin_prefetch(segments_[segment].starts.data() + lists.begin);
  }

 private:
  // Objects number · kSegmentObjects and on.
  struct Segment {
    std::vector<std::uint32_t> starts;  // of the list of each rank, and the end of the last
    std::vector<std::uint16_t> places;  // ascending in each list
  };

  // The postings of a segment by groups of neighbouring ranks, ascending by place in each: the rank
  // within the group, and the place in the low bits.
  struct Sorting {
    std::vector<std::uint32_t> entries;
    std::vector<std::uint32_t> starts;  // of each group in `entries`, and the end of the last
  };

  void find_keywords(const AppendKeywords& append, std::uint32_t threads);
  // Sorts by rank in two steps, since writing to all lists at once would miss the cache each time.
  void fill(std::uint32_t number, const AppendKeywords& append);
  Sorting sort_by_group(std::uint32_t number, const AppendKeywords& append) const;
  // Appends the starts of the `ranks` ranks of a group, whose places begin at `begin`, and sets
  // these.
  static void sort_group(std::span<const std::uint32_t> entries, std::uint32_t begin,
                         std::uint32_t ranks, Segment& segment);
  std::uint32_t segment_end(std::uint32_t number) const;

  std::uint32_t objects_;
  KeywordRanks ranks_;
  std::vector<Segment> segments_;
};

}  // namespace neardup
