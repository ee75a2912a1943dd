// How StorageOptions::memory is divided.
#pragma once

#include <cstdint>

namespace neardup {

// Filter bits for each posting, at most and at least. If there is no room for the least, the oldest
// generations have no filter.
inline constexpr std::uint64_t kMostFilterBits = 20;
inline constexpr std::uint64_t kLeastFilterBits = 4;

// Bytes each.
struct MemoryPlan {
  std::uint64_t cache = 0;          // RocksDB's block cache
  std::uint64_t write_buffers = 0;  // part of `cache`: rows not yet in files
  std::uint64_t memtable = 0;       // postings since the last flush; twice while one is flushed
  std::uint64_t rows = 0;           // decoded rows of candidates (pipeline/match/row_cache.h)
  std::uint64_t sketches = 0;       // in memory for comparing (pipeline/match/sketch_cache.h)
  std::uint64_t lookup = 0;         // filters of the index, then packed 1-bit sketches
  std::uint64_t filters = 0;        // the part of `lookup` for filters, at most
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
