// The index entry of a stored document: its buckets and packed 1-bit sketch follow from its sketch.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/sketch_plan.h"
#include "storage/store.h"

namespace neardup {

// A MakeIndexEntry of one plan.
class IndexEntryMaker {
 public:
  explicit IndexEntryMaker(const SketchPlan& plan);

  IndexEntry operator()(const DocumentRow& row) const;

 private:
  SketchPlan plan_;
  std::vector<std::uint64_t> keys_of_bands_;
};

}  // namespace neardup
