// How much shared memory a block of a kernel may have.
#pragma once

#include "gpu/cuda/cuda_failure.h"
#include "gpu/cuda/group.h"

namespace neardup::cuda {

// The limit to set for a kernel whose blocks need `bytes`. The limit belongs to the process, and
// the last backend that sets it wins, so every backend sets the maximum of the device. Throws
// CudaFailure when `bytes` exceeds the maximum.
inline int shared_memory_limit(u32 bytes) {
  int device = 0;
  int most = 0;
  check(cudaGetDevice(&device), "reading the properties of the device");
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "asking for the shared memory of the device");
  if (bytes > static_cast<u32>(most)) check(cudaErrorInvalidValue, "asking for shared memory");
  return most;
}

}  // namespace neardup::cuda
