#include "storage/index/merge_choice.h"

#include <algorithm>

namespace neardup {
namespace {

constexpr std::size_t kMergedAtOnce = 8;
constexpr Seq kMostSpan = kLongList - 1;

bool fit(const Generations& all, std::size_t begin, std::size_t end) {
  return all[end - 1]->manifest.end - all[begin]->manifest.first <= kMostSpan;
}

// The end of the run at `begin`: generations of one level, each of which fits into one generation
// with the next.
std::size_t end_of_run(const Generations& all, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < all.size() && all[end]->manifest.level == all[begin]->manifest.level &&
         fit(all, end - 1, end + 1)) {
    ++end;
  }
  return end;
}

// As many generations of [begin, end) as fit into one, at least one.
Neighbours fitting(const Generations& all, std::size_t begin, std::size_t end) {
  while (end - begin > 1 && !fit(all, begin, end)) --end;
  return {begin, end};
}

}  // namespace

Neighbours neighbours_to_merge(const Generations& all) {
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = end_of_run(all, begin);
    if (end - begin >= kMergedAtOnce) return fitting(all, begin, begin + kMergedAtOnce);
    begin = end;
  }
  return {};
}

Neighbours all_neighbours(const Generations& all, Seq from) {
  const auto begin = std::find_if(all.begin(), all.end(), [from](const auto& generation) {
    return generation->manifest.first >= from;
  });
  if (begin == all.end()) return {};
  return fitting(all, static_cast<std::size_t>(begin - all.begin()), all.size());
}

}  // namespace neardup
