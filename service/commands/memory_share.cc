#include "service/commands/memory_share.h"

#include <algorithm>
#include <cmath>

#include "pipeline/rule/bands.h"
#include "storage/index/posting_table.h"
#include "storage/memory_plan.h"

namespace neardup {
namespace {

// Costs of the index alone, including background work, from runs of build/bench/index with 20 bands
// and several sizes of memory on one core of an AMD EPYC (bench/results/state_size.md).
constexpr double kPostingSeconds = 0.26e-6;  // looked up, kept and flushed
constexpr double kMergedSeconds = 0.15e-6;   // merged once
constexpr double kWastedPageSeconds = 2e-6;  // read from the system's page cache

constexpr double kMergedAtOnce = 8;

// On average a level holds half of the generations that trigger its merge.
double generations(double levels) { return 1 + kMergedAtOnce / 2 * levels; }

}  // namespace

// Of a blocked Bloom filter (storage/generation/filter.h). The number of other hashes in the line
// of a hash is Poisson distributed; each sets one bit in each of the eight words of the line.
double false_positive_chance(double bits) {
  constexpr double kLineBits = 512;
  constexpr double kWords = 8;
  constexpr int kMost = 1024;
  const double mean = kLineBits / bits;
  double likely = std::exp(-mean);
  double chance = 0;
  for (int others = 1; others < kMost; ++others) {
    likely *= mean / others;
    chance += likely * std::pow(1 - std::pow(1 - kWords / kLineBits, others), kWords);
  }
  return chance;
}

MemoryShare share_memory(const IndexLoad& load, std::uint64_t storage_memory) {
  const MemoryPlan plan = plan_memory(storage_memory);
  const std::uint32_t columns = postings_of(load.bands);
  const double postings = load.documents * columns;
  const double bits = 8 * static_cast<double>(plan.filters) / postings;
  MemoryShare share;
  share.filter_bits = std::clamp<double>(bits, kLeastFilterBits, kMostFilterBits);
  share.filtered = std::min(1.0, bits / kLeastFilterBits);
  const double filters = share.filtered * share.filter_bits / 8 * postings;
  const double left = static_cast<double>(plan.lookup) - filters;
  share.one_bit_share =
      load.one_bit_bytes > 0 ? std::min(1.0, left / (load.one_bit_bytes * load.documents)) : 1;
  share.all_fits = share.filter_bits == kMostFilterBits && share.one_bit_share == 1;

  const auto flushed = static_cast<double>(PostingTable::most_postings(plan.memtable / columns));
  const double levels = std::max(0.0, std::log(load.documents / flushed) / std::log(kMergedAtOnce));
  share.wasted_pages =
      columns * generations(levels) *
      (share.filtered * false_positive_chance(share.filter_bits) + (1 - share.filtered));
  share.documents_per_cpu_second = 1 / (columns * (kPostingSeconds + levels * kMergedSeconds) +
                                        share.wasted_pages * kWastedPageSeconds);
  return share;
}

}  // namespace neardup
