// How one budget, StorageOptions::memory, is shared out.
#pragma once

#include <cstdint>

namespace neardup {

// Bytes each.
struct MemoryPlan {
  std::uint64_t cache = 0;          // blocks that were read, and
  std::uint64_t write_buffers = 0;  // of it, rows not yet in files
  std::uint64_t recent = 0;         // postings since the last flush; twice while one is flushed
  std::uint64_t lookup = 0;         // filters of the index, then packed 1-bit sketches
};

inline MemoryPlan plan_memory(std::uint64_t memory) {
  return {.cache = memory / 8,
          .write_buffers = memory / 16,
          .recent = memory / 20,
          .lookup = memory - memory / 8 - memory / 10};
}

}  // namespace neardup
