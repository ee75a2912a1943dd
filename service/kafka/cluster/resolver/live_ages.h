// The ages of live documents and ids, from decided batches: what retention of a resolver reads at
// its start.
#pragma once

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "service/cluster/decided.h"

namespace neardup {

class LiveAges {
 public:
  // The next batch.
  void add(const Decided& decided) {
    ages_.insert(ages_.end(), decided.ages.begin(), decided.ages.end());
    for (const Effect& effect : decided.effects) {
      if (effect.ended != 0) ended_.insert(effect.ended);
    }
  }

  // Of those from `watermark` on, by ascending seqs.
  std::vector<Age> take(Seq watermark) {
    std::erase_if(ages_,
                  [&](const Age& age) { return age.seq < watermark || ended_.contains(age.seq); });
    return std::exchange(ages_, {});
  }

 private:
  std::vector<Age> ages_;
  std::unordered_set<Seq> ended_;
};

}  // namespace neardup
