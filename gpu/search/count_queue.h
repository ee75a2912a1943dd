// The objects with the highest match-counts of one query: the c-PQ (count priority queue) of GENIE
// (Zhou et al. 2018). Its parts are
//  - the bitmap counter: 8 bits for each object of a segment, which stay at 255 once there;
//  - the gate: ZipperArray ZA, where ZA[c] is the number of objects with counts of c or more, and
//    AuditThreshold AT, the least c with ZA[c] < k. An object passes when its count reaches AT;
//  - the objects that have passed. The paper keeps them in a hash table with their counts. Here
//    they are a list without counts, since an object that has more than AT is in it already:
//    it takes k · AT entries at most, the paper's bound, and nothing has to be looked up.
// AT only rises, and in the end AT − 1 is the k-th highest count, as the paper proves. It leaves to
// chance which objects of that count are among the k; here the smallest ids are.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/search/dense_postings.h"

namespace neardup {

// Ordered by count, the highest first, then by object.
struct MatchedObject {
  std::uint32_t count = 0;
  std::uint32_t object = 0;
  bool operator==(const MatchedObject&) const = default;
  bool operator<(const MatchedObject& other) const {
    return count != other.count ? count > other.count : object < other.object;
  }
};

// The bitmap counter of one thread; its content does not matter between two calls.
using SegmentCounts = std::array<std::uint8_t, kSegmentObjects>;

class CountQueue {
 public:
  static constexpr std::uint32_t kMostCount = 255;

  // Requires: most > 0.
  explicit CountQueue(std::uint32_t most) : most_(most) {}

  // Counts the objects of a segment, each as many times as its place is in `lists`. `first` is the
  // object at place 0. Requires: a segment after all that this queue has seen.
  void add(std::span<const DensePostings::Places> lists, std::uint32_t first,
           SegmentCounts& counts);

  // The `most` objects with the highest counts so far, in order; fewer where others count 0.
  const std::vector<MatchedObject>& best() const { return best_; }

  // AT, and the entries made so far, of all segments.
  std::uint32_t audit_threshold() const { return audit_; }
  std::uint64_t entries() const { return entries_; }

 private:
  std::uint32_t pass(std::uint8_t& count, std::uint16_t place);
  void settle(std::uint32_t first, SegmentCounts& counts);
  void settle_ties(std::uint32_t first, const SegmentCounts& counts);

  std::uint32_t most_;
  std::uint32_t audit_ = 1;
  std::uint32_t settled_audit_ = 1;                     // at the end of the segment before
  std::array<std::uint32_t, kMostCount + 2> zipper_{};  // [256] stays 0
  std::vector<std::uint16_t> passed_;                   // places of this segment
  std::uint64_t entries_ = 0;
  std::vector<MatchedObject> best_;
};

}  // namespace neardup
