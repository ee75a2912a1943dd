// The memory that searches may take of a device.
#pragma once

#include <fmt/core.h>

#include "gpu/cuda/group.h"
#include "pipeline/base/failure.h"

namespace neardup::cuda {

// Bytes that are left of similar.memory when `needed` are taken. Throws Failure(kConfig) when those
// do not fit.
inline u64 left_of_memory(u64 memory, u64 needed) {
  if (memory >= needed) return memory - needed;
  throw Failure(Exit::kConfig,
                fmt::format("similar.memory: {} MiB are too little, the minimum is {} MiB",
                            memory >> 20, (needed >> 20) + 1));
}

}  // namespace neardup::cuda
