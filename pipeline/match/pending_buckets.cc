#include "pipeline/match/pending_buckets.h"

namespace neardup {

void PendingBuckets::add(const Bucket& bucket, std::uint32_t number) {
  const std::uint32_t hash_of_bucket = hash(bucket);
  SlotTable::Slot& slot = table_.find(hash_of_bucket, kAny);
  if (slot.is_free()) {
    table_.put(slot, hash_of_bucket, number);
  } else if (slot.number == kDropped) {
    slot.number = number;
  } else if (is_list(slot.number)) {
    append(lists_[slot.number - kFirstList], number);
  } else {
    const auto place = static_cast<std::uint32_t>(lists_.size());
    List& list = lists_.emplace_back();
    append(list, slot.number);
    append(list, number);
    slot.number = kFirstList + place;
  }
}

void PendingBuckets::append(List& list, std::uint32_t number) {
  ++list.size;
  const std::size_t at = list.added++ % kInNode;
  if (at == 0) {
    Node node{.numbers = {}, .next = kNone};
    node.numbers.fill(kNone);
    const auto made = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(node);
    if (list.first == kNone) {
      list.first = made;
    } else {
      nodes_[list.last].next = made;
    }
    list.last = made;
  }
  nodes_[list.last].numbers[at] = number;
}

void PendingBuckets::clear() {
  table_.clear();
  lists_.clear();
  nodes_.clear();
}

}  // namespace neardup
