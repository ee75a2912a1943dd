// Starts kernels on the device. For nvcc only.
#pragma once

#include <cstdint>

#include "gpu/cuda/cuda_failure.h"
#include "gpu/cuda/group.h"

namespace neardup::cuda {

// Threads of a block of the grid: several small groups share one.
inline constexpr u32 kGridBlock = kBlock;

template <class Kernel>
__global__ void __launch_bounds__(kGridBlock) run(Kernel kernel, u32 count, u32 shared_bytes) {
  extern __shared__ __align__(16) char shared[];
  constexpr u32 kGroups = kGridBlock / Kernel::kThreads;
  const u32 place = threadIdx.x / Kernel::kThreads;
  const u32 index = blockIdx.x * kGroups + place;
  if (index >= count) return;  // whole groups: nobody waits for them
  DeviceGroup<Kernel::kThreads> group(shared + place * shared_bytes,
                                      threadIdx.x % Kernel::kThreads);
  kernel(group, index);
}

class DeviceLauncher {
 public:
  explicit DeviceLauncher(cudaStream_t stream) : stream_(stream) {}

  template <class Kernel>
  void launch(const Kernel& kernel, u32 count, u32 shared_bytes) {
    constexpr u32 kGroups = kGridBlock / Kernel::kThreads;
    const u32 aligned = (shared_bytes + 15) / 16 * 16;
    run<<<(count + kGroups - 1) / kGroups, kGridBlock, kGroups * aligned, stream_>>>(kernel, count,
                                                                                     aligned);
    check(cudaGetLastError(), "starting a kernel");
  }

 private:
  cudaStream_t stream_;
};

// Takes what launch does, and lets the kernel have its memory instead: above 48 KiB that is to be
// asked for.
class SharedMemoryPreparer {
 public:
  template <class Kernel>
  void launch(const Kernel&, u32, u32 shared_bytes) {
    constexpr u32 kGroups = kGridBlock / Kernel::kThreads;
    const u32 aligned = (shared_bytes + 15) / 16 * 16;
    check(cudaFuncSetAttribute(run<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(kGroups * aligned)),
          "asking for shared memory");
  }
};

}  // namespace neardup::cuda
