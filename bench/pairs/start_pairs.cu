#include "bench/pairs/start_pairs.h"
#include "gpu/cuda/kernels/device_launcher.h"

namespace neardup::cuda {

void start_pairs(cudaStream_t stream, const Pairs& pairs) {
  DeviceLauncher launcher(stream);
  count_pairs(launcher, pairs);
}

void start_scan(cudaStream_t stream, const ScanPacked& scan) {
  DeviceLauncher launcher(stream);
  scan_packed(launcher, scan);
}

}  // namespace neardup::cuda
