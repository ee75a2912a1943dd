#include "storage/index/filter_budget.h"

#include <algorithm>
#include <span>
#include <vector>

#include "pipeline/base/in_threads.h"
#include "storage/control_group.h"
#include "storage/memory_plan.h"

namespace neardup {
namespace {

constexpr unsigned kMostFolds = 2;  // lines are multiples of four

bool can_fold(const Generation& generation, std::size_t column) {
  const auto& filter = generation.columns[column].filter;
  const std::uint64_t postings = generation.manifest.columns[column].postings;
  return filter && filter->lines() % 2 == 0 &&
         filter->lines() * Filter::kLineBytes * 8 >= 2 * kLeastFilterBits * postings;
}

// Folds or drops the filter of one column. False: no filter is left.
bool shrink_one(IndexState& shared) REQUIRES(shared.mutex) {
  for (const auto& generation : shared.generations) {
    for (std::size_t column = 0; column < generation->columns.size(); ++column) {
      if (!can_fold(*generation, column)) continue;
      generation->columns[column].filter->fold();
      return true;
    }
  }
  for (const auto& generation : shared.generations) {
    for (Generation::Column& column : generation->columns) {
      if (!column.filter) continue;
      column.filter.reset();
      return true;
    }
  }
  return false;
}

// Of `count` columns.
std::uint64_t stored_bytes(const Generation& generation, std::size_t first, std::size_t count) {
  std::uint64_t sum = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    sum += generation.manifest.columns[i].filter_lines * Filter::kLineBytes;
  }
  return sum;
}

std::uint64_t stored_bytes(const Generation& generation) {
  return stored_bytes(generation, 0, generation.manifest.columns.size());
}

std::uint64_t stored_bytes(const IndexState& shared) REQUIRES(shared.mutex) {
  std::uint64_t sum = 0;
  for (const auto& generation : shared.generations) sum += stored_bytes(*generation);
  return sum;
}

// Columns of one generation whose filters are read together.
struct FilterColumns {
  Generation* generation;
  std::size_t first;  // column
  std::size_t count;
  unsigned folds;
};

// Small filters are read together and share their memory. Large ones are read one by one, so that
// only one at a time is in memory before it is folded.
void split_up(Generation& generation, unsigned folds, std::vector<FilterColumns>& parts) {
  constexpr std::uint64_t kLarge = (std::uint64_t{4} << 20) / Filter::kLineBytes;
  const auto& columns = generation.manifest.columns;
  const bool large = std::any_of(columns.begin(), columns.end(), [](const ColumnSize& column) {
    return column.filter_lines >= kLarge;
  });
  const std::size_t at_once = large ? 1 : columns.size();
  for (std::size_t first = 0; first < columns.size(); first += at_once) {
    parts.push_back({&generation, first, at_once, folds});
  }
}

// Folds the first ones once less, as long as there is room for them.
void use_room(std::vector<FilterColumns>& parts, std::uint64_t room) {
  for (FilterColumns& part : parts) {
    const std::uint64_t more = stored_bytes(*part.generation, part.first, part.count) >> part.folds;
    if (part.folds == 0 || more > room) return;
    --part.folds;
    room -= more;
  }
}

void read_part(const RocksdbState& state, const FilterColumns& part) {
  std::vector<Filter> filters =
      read_filters(state, part.generation->manifest, part.first, part.count);
  for (std::size_t i = 0; i < filters.size(); ++i) {
    for (unsigned fold = 0; fold < part.folds && filters[i].lines() % 2 == 0; ++fold)
      filters[i].fold();
    part.generation->columns[part.first + i].filter.emplace(std::move(filters[i]));
  }
}

// Reads the parts on all cores, since copies and page faults take most of the time.
void read_parts(const RocksdbState& state, std::span<const FilterColumns> parts) {
  share_out(parts.size(), usable_cores(),
            [&](std::size_t, std::size_t i) { read_part(state, parts[i]); });
}

}  // namespace

std::uint64_t filter_bits(std::uint64_t budget, std::uint64_t postings) {
  return std::clamp(8 * budget / std::max<std::uint64_t>(postings, 1), kLeastFilterBits,
                    kMostFilterBits);
}

void fit_filters(IndexState& shared, std::uint64_t budget) {
  while (true) {
    const WriterLock lock(shared.mutex);
    if (shared.filter_bytes() <= budget || !shrink_one(shared)) return;
  }
}

void read_filters(const RocksdbState& state, IndexState& shared, std::uint64_t budget) {
  unsigned folds = 0;
  while (folds < kMostFolds && stored_bytes(shared) >> folds > budget) ++folds;
  // The newest first: the oldest have no filters if there is no room.
  std::vector<FilterColumns> parts;
  std::uint64_t bytes = 0;
  for (auto at = shared.generations.rbegin(); at != shared.generations.rend(); ++at) {
    if (bytes >= budget) break;
    bytes += stored_bytes(**at) >> folds;
    split_up(**at, folds, parts);
  }
  use_room(parts, budget - std::min(budget, bytes));
  read_parts(state, parts);
}

}  // namespace neardup
