#include "pipeline/pending_buckets.h"

#include <algorithm>
#include <utility>

namespace neardup {

void PendingBuckets::add(const Bucket& bucket, std::uint32_t number) {
  const auto at = static_cast<std::uint32_t>(links_.size());
  links_.push_back({number, kNone});
  const std::uint64_t key = mix(bucket);
  Slot& slot = slots_[place(key)];
  if (slot.first == kNone) {
    slot.first = at;
  } else {
    links_[slot.last].next = at;
  }
  slot.last = at;
  ++slot.size;
  if (std::exchange(slot.used, true)) return;
  slot.key = key;
  if (++used_ > slots_.size() / 2) grow();
}

void PendingBuckets::drop(Slot& slot, std::uint32_t before, std::uint32_t at) {
  const std::uint32_t next = links_[at].next;
  if (before == kNone) {
    slot.first = next;
  } else {
    links_[before].next = next;
  }
  if (slot.last == at) slot.last = before;
  --slot.size;
}

void PendingBuckets::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  --shift_;
  for (const Slot& slot : old) {
    if (slot.used) slots_[place(slot.key)] = slot;
  }
}

void PendingBuckets::clear() {
  std::fill(slots_.begin(), slots_.end(), Slot());
  used_ = 0;
  links_.clear();
}

}  // namespace neardup
