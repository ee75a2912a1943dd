// Arrays where the kernels of searches run, and starting them there.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "gpu/cuda/kernels/serial_launcher.h"
#include "gpu/cuda/search/kernels/dense_match.h"
#include "gpu/cuda/search/kernels/error_weighted.h"
#include "gpu/cuda/search/kernels/hash_strings.h"
#include "gpu/cuda/search/kernels/match_count.h"
#include "gpu/cuda/search/kernels/near_limits.h"
#include "launchers.h"

#if defined(NEARDUP_CUDA)
#include "gpu/cuda/resources.h"
#include "gpu/cuda/search/kernels/search_kernels.h"
#endif

namespace neardup::cuda {

// An array in memory of the host, of just its size for sanitizers, or of the device.
template <class T>
class Memory {
 public:
  Memory(Launcher where, std::vector<T> values) : where_(where), values_(std::move(values)) {
    values_.shrink_to_fit();
#if defined(NEARDUP_CUDA)
    if (where == Launcher::kDevice) device_.emplace(upload(std::span<const T>(values_)));
#endif
  }

  T* get() {
#if defined(NEARDUP_CUDA)
    if (where_ == Launcher::kDevice) return device_->get();
#endif
    return values_.data();
  }

  // As the kernels have left it.
  const std::vector<T>& read() {
#if defined(NEARDUP_CUDA)
    if (where_ == Launcher::kDevice) {
      check(cudaMemcpy(values_.data(), device_->get(), values_.size() * sizeof(T),
                       cudaMemcpyDeviceToHost),
            "copying from the device");
    }
#endif
    return values_;
  }

 private:
  Launcher where_;
  std::vector<T> values_;
#if defined(NEARDUP_CUDA)
  std::optional<DeviceArray<T>> device_;
#endif
};

#if defined(NEARDUP_CUDA)
inline void start(cudaStream_t stream, const NearLimits& work) {
  start_limit_lowering(stream, work);
}
inline void start(cudaStream_t stream, const NearRows& work) { start_row_scan(stream, work); }
inline void start(cudaStream_t stream, const CountMatches& work) {
  start_match_count(stream, work);
}
inline void start(cudaStream_t stream, const DenseMatch& work) {
  prepare_dense_match(work.most_objects);
  start_dense_match(stream, work);
}
inline void start(cudaStream_t stream, const Hashing& work) { start_hashing(stream, work); }
inline void start(cudaStream_t stream, const WeighErrors& work) {
  start_error_weighing(stream, work);
}
#endif

inline void start(SerialLauncher launcher, const NearLimits& work) { lower_limits(launcher, work); }
inline void start(SerialLauncher launcher, const NearRows& work) { scan_rows(launcher, work); }
inline void start(SerialLauncher launcher, const CountMatches& work) {
  count_matches(launcher, work);
}
inline void start(SerialLauncher launcher, const DenseMatch& work) { match_dense(launcher, work); }
inline void start(SerialLauncher launcher, const Hashing& work) { hash_strings(launcher, work); }
inline void start(SerialLauncher launcher, const WeighErrors& work) {
  weigh_errors(launcher, work);
}

// Returns when the work is done.
template <class Work>
void run_kernels(Launcher where, const Work& work) {
#if defined(NEARDUP_CUDA)
  if (where == Launcher::kDevice) {
    const Stream stream;
    start(stream.get(), work);
    check(cudaStreamSynchronize(stream.get()), "waiting for the device");
    return;
  }
#endif
  (void)where;
  start(SerialLauncher(), work);
}

// The hits of a list, in any order.
template <class Hit>
std::vector<Hit> hits_of(const std::vector<Hit>& hits, const std::vector<u32>& counts, u32 list) {
  const std::size_t room = hits.size() / counts.size();
  std::vector<Hit> found;
  for (std::size_t i = 0; i < std::min<std::size_t>(room, counts[list]); ++i) {
    found.push_back(hits[i * counts.size() + list]);
  }
  return found;
}

// The base of tests that run on the host and on a device.
class SearchKernelsTest : public testing::TestWithParam<Launcher> {
 protected:
  void SetUp() override {
    if (!why_not(GetParam()).empty()) GTEST_SKIP() << "no device: " << why_not(GetParam());
  }
  template <class T>
  Memory<T> memory(std::vector<T> values) const {
    return {GetParam(), std::move(values)};
  }
  template <class T>
  Memory<T> filled(std::size_t size, T value) const {
    return memory(std::vector<T>(size, value));
  }
};

}  // namespace neardup::cuda
