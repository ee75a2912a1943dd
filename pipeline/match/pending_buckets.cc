#include "pipeline/match/pending_buckets.h"

#include <algorithm>

namespace neardup {

void PendingBuckets::add(const Bucket& bucket, std::uint32_t number) {
  const std::uint64_t key = mix(bucket);
  Slot& slot = slots_[place(key)];
  ++slot.size;
  if (slot.added++ != 0) {
    append(slot, number);
    return;
  }
  slot.key = key;
  slot.oldest = number;
  if (++used_ > slots_.size() / 2) grow();
}

void PendingBuckets::append(Slot& slot, std::uint32_t number) {
  const std::size_t at = (slot.added - 2) % kInNode;
  if (at == 0) {
    Node node{.numbers = {}, .next = kNone};
    node.numbers.fill(kNone);
    const auto made = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(node);
    if (slot.first == kNone) {
      slot.first = made;
    } else {
      nodes_[slot.last].next = made;
    }
    slot.last = made;
  }
  nodes_[slot.last].numbers[at] = number;
}

void PendingBuckets::grow() {
  Slots old(slots_.size() * 2);
  old.swap(slots_);
  --shift_;
  for (const Slot& slot : old) {
    if (slot.added != 0) slots_[place(slot.key)] = slot;
  }
}

void PendingBuckets::clear() {
  std::fill(slots_.begin(), slots_.end(), Slot());
  used_ = 0;
  nodes_.clear();
}

}  // namespace neardup
