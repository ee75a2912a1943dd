// Runs kernels on the host, one thread after the other, so that tests check every index of the
// kernels' bodies without a device.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "gpu/cuda/group.h"

namespace neardup::cuda {

template <u32 threads>
class SerialGroup {
 public:
  static constexpr u32 kThreads = threads;

  explicit SerialGroup(char* shared) : shared_(shared) {}

  char* shared() const { return shared_; }

  template <class F>
  void each(F f) {
    for (u32 thread = 0; thread < kThreads; ++thread) f(thread);
  }
  template <class T>
  T read(const T& value) {
    return value;
  }
  u32 exclusive_sums(u32* counts) {
    const u32 last = counts[kThreads - 1];
    std::exclusive_scan(counts, counts + kThreads, counts, u32{0});
    return counts[kThreads - 1] + last;
  }
  static u64 atomic_min(u64* at, u64 x) {
    const u64 before = *at;
    *at = std::min(before, x);
    return before;
  }
  static u32 atomic_add(u32* at, u32 x) {
    const u32 before = *at;
    *at += x;
    return before;
  }
  static u32 atomic_or(u32* at, u32 x) {
    const u32 before = *at;
    *at |= x;
    return before;
  }

 private:
  char* shared_;
};

class SerialLauncher {
 public:
  template <class Kernel>
  void launch(const Kernel& kernel, u32 count, u32 shared_bytes) {
    // Each group gets an allocation of exactly its size, so that sanitizers see accesses outside.
    for (u32 index = 0; index < count; ++index) {
      std::vector<u64> shared((shared_bytes + 7) / 8);
      SerialGroup<Kernel::kThreads> group(reinterpret_cast<char*>(shared.data()));
      kernel(group, index);
    }
  }
};

}  // namespace neardup::cuda
