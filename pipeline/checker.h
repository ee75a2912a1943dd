// Checks: the flags that records would get, of a state that does not change.
//
// Each record is decided by the rules of resolve.h on the state as of its last commit, as if it
// came next. So a check and a later decision cannot differ but by what came between.
#pragma once

#include <vector>

#include "pipeline/model/flag.h"
#include "pipeline/model/sketched_batch.h"
#include "pipeline/rule/options.h"
#include "pipeline/rule/rule.h"
#include "storage/store.h"

namespace neardup {

// Records of a chunk: enough to share the costs of one, and few enough for the thread that decides.
inline constexpr std::size_t kChecksAtOnce = 32;

class Resolver;

class Checker {
 public:
  // `verdicts`: as Resolver::tell_verdicts. Requires: `store` outlives this, has its index
  // (Store::set_index), and is used by one thread at a time.
  Checker(const Rule& rule, const FilterOptions& filter, const CpuOptions& cpu, bool verdicts,
          Store& store);

  // Appends the flag of each record of the chunk. Their seqs are all the next one. Throws
  // Failure(kConfig) when the store has another rule.
  void check(const SketchedBatch& chunk, std::vector<Flag>& flags) const;

 private:
  void begin(Resolver& resolver, const SketchedBatch& chunk) const;

  Rule rule_;
  FilterOptions filter_;
  CpuOptions cpu_;
  bool verdicts_;
  Store& store_;
};

}  // namespace neardup
