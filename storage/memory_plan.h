// How one budget, StorageOptions::memory, is shared out.
#pragma once

#include <cstdint>

namespace neardup {

// Bits a posting that filters have: with room, and at least; with less room the oldest have none.
inline constexpr std::uint64_t kMostFilterBits = 20;
inline constexpr std::uint64_t kLeastFilterBits = 4;

// Bytes each.
struct MemoryPlan {
  std::uint64_t cache = 0;          // blocks that were read, and
  std::uint64_t write_buffers = 0;  // of it, rows not yet in files
  std::uint64_t memtable = 0;       // postings since the last flush; twice while one is flushed
  std::uint64_t rows = 0;           // decoded rows of candidates (pipeline/match/row_cache.h)
  std::uint64_t sketches = 0;       // in memory for comparing (pipeline/match/sketch_cache.h)
  std::uint64_t lookup = 0;         // filters of the index, then packed 1-bit sketches
  std::uint64_t filters = 0;        // of it, for filters at most
};

inline MemoryPlan plan_memory(std::uint64_t memory) {
  const std::uint64_t lookup = memory - memory / 8 - memory / 10 - memory / 16;
  return {.cache = memory / 8 - memory / 64,
          .write_buffers = memory / 16,
          .memtable = memory / 20,
          .rows = memory / 64,
          .sketches = memory / 16,
          .lookup = lookup,
          .filters = lookup / 8 * 7};
}

}  // namespace neardup
