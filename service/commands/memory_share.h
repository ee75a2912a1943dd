// How much of an index fits into storage.memory, and the expected rate of look-ups: a rule of thumb
// from the memory plan and a few measured costs (bench/results/state_size.md).
#pragma once

#include <cstdint>

namespace neardup {

// The size of an index.
struct IndexLoad {
  double documents = 0;
  std::uint32_t bands = 0;
  double one_bit_bytes = 0;  // for one document
};

struct MemoryShare {
  double filter_bits = 0;               // per posting, of those with a filter
  double filtered = 1;                  // share of the postings that have a filter
  double one_bit_share = 1;             // latest documents with 1-bit sketch in memory, as a share
  double wasted_pages = 0;              // read in vain for one document
  double documents_per_cpu_second = 0;  // of the index alone, merging included
  bool all_fits = true;
};

// Requires: storage.memory is at least 16 MiB.
MemoryShare share_memory(const IndexLoad& load, std::uint64_t storage_memory);

// The false-positive rate of a filter with `bits` bits per posting.
double false_positive_chance(double bits);

}  // namespace neardup
