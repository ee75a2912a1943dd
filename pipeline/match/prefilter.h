// Who may be the original of a document, by what is at hand without its row: the sketch itself
// where the document is new or was compared lately, else the packed 1-bit sketch.
#pragma once

#include <span>
#include <vector>

#include "gpu/compare.h"
#include "pipeline/core/candidate.h"
#include "pipeline/match/one_bit_filter.h"

namespace neardup {

// Of the document that looks for its original.
struct QuerySketches {
  const std::uint64_t* sketch = nullptr;
  const std::uint64_t* one_bit = nullptr;
};

class Nominator {
 public:
  Nominator(const SketchComparer& comparer, OneBitFilter& filter)
      : comparer_(comparer), filter_(filter) {}

  // Appends those of `candidates` whose sketch is at hand, and of the others those that pass the
  // filter.
  void nominate(const QuerySketches& query, std::span<const Candidate> candidates,
                std::vector<Nominee>& nominees);

 private:
  const SketchComparer& comparer_;
  OneBitFilter& filter_;
};

}  // namespace neardup
