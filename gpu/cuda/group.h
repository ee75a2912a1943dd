// The threads that work together in a kernel: a warp or a block.
//
// Kernel bodies are written once, for any group, as phases: `each(f)` calls f(thread) for all
// threads and then waits for all of them. Loop conditions have the same value in every thread.
// DeviceGroup runs the threads of a phase in parallel. SerialGroup (serial_launcher.h) runs them
// one after the other on the host, so that every index of a body is tested without a device.
//
//   G::kThreads                       threads in the group
//   char* shared()                    memory of the group
//   each(f)                           f(thread), then a barrier
//   T read(const T& value)            the value that all threads see; then a barrier
//   u32 exclusive_sums(u32* counts)   counts[thread] → sum of those before it; returns the sum of
//                                     all. `counts` has kSumWords words of memory of the group.
//   u64 atomic_min(u64* at, u64 x), u32 atomic_add(u32* at, u32 x), atomic_or: return what was
//   there
#pragma once

#include "gpu/hd/arithmetic.h"

namespace neardup::cuda {

using hd::u32;
using hd::u64;

inline constexpr u32 kWarp = 32;
inline constexpr u32 kBlock = 256;

// Words that exclusive_sums needs in the larger group.
inline constexpr u32 kSumWords = kBlock + kBlock / kWarp;

// Small groups share a thread block: as many as make kBlock threads, and fewer when their shared
// memory is large.
inline constexpr u32 kSharedBytes = 64 << 10;
constexpr u32 aligned_bytes(u32 shared_bytes) { return (shared_bytes + 15) / 16 * 16; }
constexpr u32 groups_in_block(u32 threads, u32 shared_bytes) {
  const u32 most = kBlock / threads;
  const u32 fitting = shared_bytes == 0 ? most : kSharedBytes / aligned_bytes(shared_bytes);
  return fitting < 1 ? 1 : fitting < most ? fitting : most;
}

#if defined(__CUDACC__)

template <u32 threads>
class DeviceGroup {
 public:
  static constexpr u32 kThreads = threads;

  __device__ DeviceGroup(char* shared, u32 thread) : shared_(shared), thread_(thread) {}

  __device__ char* shared() const { return shared_; }

  template <class F>
  __device__ void each(F f) {
    f(thread_);
    wait();
  }

  template <class T>
  __device__ T read(const T& value) {
    const T seen = value;
    wait();
    return seen;
  }

  __device__ u32 exclusive_sums(u32* counts) {
    const u32 lane = thread_ % kWarp;
    const u32 warp = thread_ / kWarp;
    const u32 own = counts[thread_];
    u32 sum = own;
    for (u32 distance = 1; distance < kWarp; distance *= 2) {
      const u32 before = __shfl_up_sync(~0u, sum, distance);
      if (lane >= distance) sum += before;
    }
    u32* const of_warps = counts + kThreads;
    if (lane == kWarp - 1) of_warps[warp] = sum;
    wait();
    u32 total = 0;
    for (u32 i = 0; i < kThreads / kWarp; ++i) {
      if (i == warp) counts[thread_] = total + sum - own;
      total += of_warps[i];
    }
    wait();
    return total;
  }

  static __device__ u64 atomic_min(u64* at, u64 x) {
    return ::atomicMin(reinterpret_cast<unsigned long long*>(at), x);
  }
  static __device__ u32 atomic_add(u32* at, u32 x) { return ::atomicAdd(at, x); }
  static __device__ u32 atomic_or(u32* at, u32 x) { return ::atomicOr(at, x); }

 private:
  __device__ void wait() {
    if constexpr (kThreads == kWarp) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }

  char* shared_;
  u32 thread_;
};

#endif

}  // namespace neardup::cuda
