// Short keywords of strings as bit planes, for benchmarks of hashing in Hamming space. Of 16
// buckets of 4 bits error weighted hashing opens 11: lists would name most strings, several times.
// A plane holds a bit of the keywords of kGroup strings, whose scores are added up together.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "bench/engines/bit_keywords.h"

namespace neardup::bench {

// How keywords count. A keyword that differs from the query's in r <= errors bits adds
// heaviest - r, and strings whose sum is `gate` or more are found.
struct KeywordScores {
  std::uint32_t errors = 0;
  std::uint32_t heaviest = 1;
  std::uint32_t gate = 1;
};

class KeywordPlanes {
 public:
  static constexpr std::size_t kGroup = 512;
  // A bit for each string of a group.
  using Strings = std::array<std::uint64_t, kGroup / 64>;

  // Of `count` rows of `words` words each, by `threads` threads.
  KeywordPlanes(const BitKeywords& keywords, const std::uint64_t* rows, std::uint32_t count,
                std::size_t words, std::uint32_t threads);

  // String i is bit i % kGroup of group i / kGroup.
  std::size_t groups() const { return groups_; }
  std::uint64_t bytes() const { return planes_.size() * sizeof(Strings); }

  // The strings of a group that are found. `query`: keywords of the functions from `first` on; the
  // others do not count. Requires: the heaviest of all of them add up to 31 at most, and keywords
  // have 7 bits at most.
  Strings reached(std::size_t group, std::uint32_t first, std::span<const std::uint32_t> query,
                  const KeywordScores& scores) const;

 private:
  std::uint32_t bits_;
  std::uint32_t count_;
  std::size_t groups_;
  std::size_t planes_each_;      // of a group
  std::vector<Strings> planes_;  // by group, function and bit
};

}  // namespace neardup::bench
