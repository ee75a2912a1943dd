// What a number of documents gets of storage.memory, and how fast they are then looked up: a rule
// of thumb from the plan of memory and a few measured costs (bench/results/state_size.md).
#pragma once

#include <cstdint>

namespace neardup {

// What the index wants in memory.
struct IndexLoad {
  double documents = 0;
  std::uint32_t bands = 0;
  double one_bit_bytes = 0;  // of one document
};

struct MemoryShare {
  double filter_bits = 0;               // a posting, of those with a filter
  double filtered = 1;                  // share of the postings that have one
  double one_bit_share = 1;             // of the documents, the latest
  double wasted_pages = 0;              // read for one document and of no use
  double documents_per_cpu_second = 0;  // of the index alone, merging included
  bool all_fits = true;
};

// Requires: storage.memory is at least 16 MiB.
MemoryShare share_memory(const IndexLoad& load, std::uint64_t storage_memory);

// How likely a filter of so many bits a posting says "perhaps" to what is not there.
double false_positive_chance(double bits);

}  // namespace neardup
