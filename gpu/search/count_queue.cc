#include "gpu/search/count_queue.h"

#include <algorithm>
#include <cstring>

namespace neardup {

void CountQueue::add(std::span<const DensePostings::Places> lists, std::uint32_t first,
                     SegmentCounts& counts) {
  counts.fill(0);
  std::uint8_t* const count_of = counts.data();
  std::uint32_t gate = audit_ - 1;
  for (const DensePostings::Places list : lists) {
    for (const std::uint16_t place : list) {
      // One comparison for the gate and for a counter that must not overflow: the gate is 255 at
      // most.
      const std::uint8_t before = count_of[place]++;
      if (before >= gate) [[unlikely]] {
        gate = pass(count_of[place], place);
      }
    }
  }
  settle(first, counts);
}

// Returns the count from which on the next increment passes.
std::uint32_t CountQueue::pass(std::uint8_t& count, std::uint16_t place) {
  if (count == 0) {  // it was kMostCount
    count = kMostCount;
    return audit_ - 1;
  }
  if (count == audit_) passed_.push_back(place);
  ++zipper_[count];
  while (zipper_[audit_] >= most_) ++audit_;
  return audit_ - 1;
}

// Fewer than `most` objects of all segments have AT or more. What is left for objects with AT − 1
// goes to the segments before and then to this one's first ones.
void CountQueue::settle(std::uint32_t first, SegmentCounts& counts) {
  if (passed_.empty()) return;
  for (const std::uint16_t place : passed_) {
    if (counts[place] < audit_) continue;
    best_.push_back({counts[place], first + place});
    counts[place] = 0;  // it may have more entries
  }
  entries_ += passed_.size();
  passed_.clear();
  std::sort(best_.begin(), best_.end());
  // If AT has not risen, then the segments before have `most` objects with AT − 1 or more.
  if (audit_ > settled_audit_) settle_ties(first, counts);
  if (best_.size() > most_) best_.resize(most_);
  settled_audit_ = audit_;
}

void CountQueue::settle_ties(std::uint32_t first, const SegmentCounts& counts) {
  const std::uint32_t tied = audit_ - 1;
  const auto end = std::upper_bound(best_.begin(), best_.end(), MatchedObject{tied, first});
  best_.erase(end, best_.end());
  const std::uint8_t* at = counts.data();
  const std::uint8_t* const last = at + counts.size();
  while (best_.size() < most_) {
    at = static_cast<const std::uint8_t*>(
        std::memchr(at, static_cast<int>(tied), static_cast<std::size_t>(last - at)));
    if (at == nullptr) return;
    best_.push_back({tied, first + static_cast<std::uint32_t>(at - counts.data())});
    ++at;
  }
}

}  // namespace neardup
