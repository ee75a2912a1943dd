#include "gpu/cuda/kernels/device_launcher.h"
#include "gpu/cuda/search/kernels/search_kernels.h"

namespace neardup::cuda {

void prepare_dense_match(u32 most_objects) {
  SharedMemoryPreparer preparer;
  name_dense_match(preparer, most_objects);
}

void start_limit_lowering(cudaStream_t stream, const NearLimits& limits) {
  DeviceLauncher launcher(stream);
  lower_limits(launcher, limits);
}

void start_row_scan(cudaStream_t stream, const NearRows& near) {
  DeviceLauncher launcher(stream);
  scan_rows(launcher, near);
}

void start_match_count(cudaStream_t stream, const CountMatches& count) {
  DeviceLauncher launcher(stream);
  count_matches(launcher, count);
}

void start_dense_match(cudaStream_t stream, const DenseMatch& match) {
  DeviceLauncher launcher(stream);
  match_dense(launcher, match);
}

void start_hashing(cudaStream_t stream, const Hashing& hashing) {
  DeviceLauncher launcher(stream);
  hash_strings(launcher, hashing);
}

void start_error_weighing(cudaStream_t stream, const WeighErrors& weigh) {
  DeviceLauncher launcher(stream);
  weigh_errors(launcher, weigh);
}

}  // namespace neardup::cuda
