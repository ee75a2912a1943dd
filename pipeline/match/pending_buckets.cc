#include "pipeline/match/pending_buckets.h"

namespace neardup {

void BucketColumn::add(std::uint32_t place, std::uint32_t number) {
  std::uint32_t& found = buckets_[place];
  if (found == kNone) {
    found = number;
  } else if (is_list(found)) {
    append(lists_[found - kFirstList], number);
  } else {
    const auto made = static_cast<std::uint32_t>(lists_.size());
    List& list = lists_.emplace_back();
    append(list, found);
    append(list, number);
    found = kFirstList + made;
  }
}

void BucketColumn::append(List& list, std::uint32_t number) {
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

void BucketColumn::clear() {
  table_.clear();
  buckets_.clear();
  lists_.clear();
  nodes_.clear();
}

}  // namespace neardup
