// The originals with the most copies, among many.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "storage/store.h"

namespace neardup {

class TopGroups {
 public:
  explicit TopGroups(std::size_t most) : most_(most) {}

  // Would an original with so many copies be among them? Originals come in the order of their seqs,
  // so among equals the earlier one stays.
  bool wants(std::uint64_t copies) const {
    return groups_.size() < most_ || (most_ > 0 && copies > groups_.front().copies);
  }

  void add(DocumentRow original, std::uint64_t copies) {
    if (groups_.size() == most_) {
      std::ranges::pop_heap(groups_, before);
      groups_.pop_back();
    }
    groups_.push_back({std::move(original), copies});
    std::ranges::push_heap(groups_, before);
  }

  // The most copies first.
  std::vector<DocumentGroup> take() {
    std::ranges::sort_heap(groups_, before);
    return std::move(groups_);
  }

 private:
  static bool before(const DocumentGroup& a, const DocumentGroup& b) {
    return a.copies != b.copies ? a.copies > b.copies : a.original.seq < b.original.seq;
  }

  std::size_t most_;
  std::vector<DocumentGroup> groups_;  // a heap: the first is the one to be replaced
};

}  // namespace neardup
