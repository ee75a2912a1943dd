// Starts the kernels that compare packed rows on a stream. start_pairs.cu is compiled by nvcc, all
// else by the host's compiler.
#pragma once

#include <cuda_runtime_api.h>

#include "bench/pairs/pair_kernels.h"

namespace neardup::cuda {

// Asynchronous: both return at once. Throw CudaFailure when the kernel could not be started.
void start_pairs(cudaStream_t stream, const Pairs& pairs);
void start_scan(cudaStream_t stream, const ScanPacked& scan);

}  // namespace neardup::cuda
