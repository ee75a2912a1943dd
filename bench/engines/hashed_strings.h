// Strings of bits, found by their keywords and then compared.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bench/engines/bit_keywords.h"
#include "bench/engines/keyword_planes.h"
#include "bench/engines/planted.h"
#include "gpu/search/match_count.h"
#include "gpu/search/row_scan.h"

namespace neardup::bench {

inline constexpr std::size_t kNearest = 10;

class HashedStrings {
 public:
  // All strings of `view`, by `threads` threads. References must outlive this.
  HashedStrings(const PlantedView& view, const BitKeywords& keywords, const KeywordScores& scores,
                std::uint32_t threads);

  std::uint64_t bytes() const { return planes_ ? planes_->bytes() : postings_->bytes(); }

  // A thread's counters for `search`.
  MatchCounter counter() const;

  // The nearest of the strings that the functions in [from, to) find.
  Shortlist search(std::uint32_t query, std::uint32_t from, std::uint32_t to,
                   MatchCounter& counter) const;

 private:
  std::vector<std::uint32_t> reached(std::uint32_t from, std::uint32_t to,
                                     std::span<const std::uint32_t> keywords,
                                     MatchCounter& counter) const;
  void compare(const std::uint64_t* bits, std::span<const std::uint32_t> places,
               Shortlist& nearest) const;

  const PlantedView& view_;
  const BitKeywords& keywords_;
  const KeywordScores scores_;
  std::optional<KeywordPlanes> planes_;  // of short keywords
  std::optional<BitPostings> postings_;  // of others
  RowScan scan_{{}};
};

}  // namespace neardup::bench
