// A set of seqs, a bitmap per range of 4096: small if the seqs are close together.
#pragma once

#include <bitset>
#include <cstddef>
#include <unordered_map>
#include <vector>

#include "pipeline/model/types.h"

namespace neardup {

class SeqSet {
 public:
  void insert(Seq seq) { pages_[seq / kPage].set(seq % kPage); }
  void erase(Seq seq) {
    const auto page = pages_.find(seq / kPage);
    if (page == pages_.end()) return;
    page->second.reset(seq % kPage);
    if (page->second.none()) pages_.erase(page);
  }
  bool contains(Seq seq) const {
    if (pages_.empty()) return false;
    const auto page = pages_.find(seq / kPage);
    return page != pages_.end() && page->second.test(seq % kPage);
  }

  // The seqs in [first, end), unordered.
  std::vector<Seq> in_range(Seq first, Seq end) const {
    std::vector<Seq> found;
    for (const auto& [number, page] : pages_) {
      if ((number + 1) * kPage <= first || number * kPage >= end) continue;
      for (std::size_t i = 0; i < kPage; ++i) {
        const Seq seq = number * kPage + i;
        if (page.test(i) && seq >= first && seq < end) found.push_back(seq);
      }
    }
    return found;
  }

 private:
  static constexpr std::size_t kPage = 4096;
  std::unordered_map<Seq, std::bitset<kPage>> pages_;
};

}  // namespace neardup
