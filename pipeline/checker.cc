#include "pipeline/checker.h"

#include "pipeline/resolve.h"

namespace neardup {
namespace {

// A resolver lives for one chunk: it shall begin quickly.
FilterOptions small_caches(FilterOptions filter) {
  filter.sketch_bytes = std::uint64_t{64} << 10;
  filter.row_bytes = std::uint64_t{1} << 20;
  return filter;
}

}  // namespace

Checker::Checker(const Rule& rule, const FilterOptions& filter, const CpuOptions& cpu,
                 bool verdicts, Store& store)
    : rule_(rule), filter_(small_caches(filter)), cpu_(cpu), verdicts_(verdicts), store_(store) {}

// A record that replaces a version of its id, or moves stream time so far that documents expire,
// spends its resolver: in its eyes those have ended, which the next record must not see.
void Checker::check(const SketchedBatch& chunk, std::vector<Flag>& flags) const {
  for (std::size_t i = 0; i < chunk.size();) {
    Resolver resolver(rule_, filter_, cpu_, false, store_);
    if (verdicts_) resolver.tell_verdicts();
    resolver.known().prepare(chunk);
    bool goes_on = true;
    while (goes_on && i < chunk.size()) goes_on = resolver.check(chunk, i++, flags.emplace_back());
  }
}

}  // namespace neardup
