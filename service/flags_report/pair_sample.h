// Pairs of near-duplicates that people should see: those whose similarity is the nearest to the
// threshold, the farthest from it, and some of the others. The same flags give the same pairs, in
// whatever order they come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "service/groups/flags_reader.h"

namespace neardup {

// A document of a pair.
struct PairDocument {
  Seq seq = 0;
  std::string name_space;
  std::string id;
};

struct SampledPair {
  bool near = false;  // of those nearest to the threshold
  std::string flag;   // as it is written
  Ppm similarity = 0;
  PairDocument document;
  PairDocument original;
};

class PairSample {
 public:
  static constexpr std::size_t kPairs = 50;
  static constexpr std::size_t kNear = 20;
  static constexpr std::size_t kFar = 10;
  static constexpr std::size_t kLongestFlag = 4096;  // bytes; longer ones are in no pair

  // Flags of other statuses are passed over.
  void add(const FlagLine& flag, const FlagEvidence& evidence);

  // kPairs, or as many as there are: those near the threshold first, each part by similarity.
  std::vector<SampledPair> pairs() const;

  // Near-duplicates that could be in no pair.
  std::uint64_t too_long() const { return too_long_; }

 private:
  // The rank of a pair, then a hash of its seq, which decides among equals.
  using Key = std::pair<std::uint64_t, std::uint64_t>;

  // The pairs with the smallest keys.
  class Smallest {
   public:
    explicit Smallest(std::size_t most) : most_(most) {}
    void add(const Key& key, const FlagLine& flag, const FlagEvidence& evidence);
    const std::map<Key, SampledPair>& pairs() const { return pairs_; }

   private:
    std::size_t most_;
    std::map<Key, SampledPair> pairs_;
  };

  Smallest near_{kNear};
  Smallest far_{kFar};
  Smallest others_{kPairs};
  std::uint64_t too_long_ = 0;
};

}  // namespace neardup
