// Starts kernels on the device. For nvcc only.
#pragma once

#include <cstdint>

#include "gpu/cuda/cuda_failure.h"
#include "gpu/cuda/group.h"
#include "gpu/cuda/kernels/shared_memory.h"

namespace neardup::cuda {

template <class Kernel>
__global__ void __launch_bounds__(kBlock) run(Kernel kernel, u32 count, u32 shared_bytes) {
  extern __shared__ __align__(16) char shared[];
  const u32 groups = blockDim.x / Kernel::kThreads;
  const u32 place = threadIdx.x / Kernel::kThreads;
  const u32 index = blockIdx.x * groups + place;
  if (index >= count) return;  // whole groups, so no barrier waits for them
  DeviceGroup<Kernel::kThreads> group(shared + place * shared_bytes,
                                      threadIdx.x % Kernel::kThreads);
  kernel(group, index);
}

class DeviceLauncher {
 public:
  explicit DeviceLauncher(cudaStream_t stream) : stream_(stream) {}

  template <class Kernel>
  void launch(const Kernel& kernel, u32 count, u32 shared_bytes) {
    const u32 groups = groups_in_block(Kernel::kThreads, shared_bytes);
    const u32 bytes = aligned_bytes(shared_bytes);
    run<<<(count + groups - 1) / groups, groups * Kernel::kThreads, groups * bytes, stream_>>>(
        kernel, count, bytes);
    check(cudaGetLastError(), "starting a kernel");
  }

 private:
  cudaStream_t stream_;
};

// A launcher that starts nothing: it raises the limit of shared memory of each kernel, which CUDA
// requires above 48 KiB.
class SharedMemoryPreparer {
 public:
  template <class Kernel>
  void launch(const Kernel&, u32, u32 shared_bytes) {
    const u32 groups = groups_in_block(Kernel::kThreads, shared_bytes);
    check(cudaFuncSetAttribute(run<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               shared_memory_limit(groups * aligned_bytes(shared_bytes))),
          "asking for shared memory");
  }
};

}  // namespace neardup::cuda
