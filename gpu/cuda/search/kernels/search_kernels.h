// Starts the kernels of searches on a stream. search_kernels.cu is compiled by nvcc, all else by
// the host's compiler.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/cuda/search/kernels/dense_match.h"
#include "gpu/cuda/search/kernels/error_weighted.h"
#include "gpu/cuda/search/kernels/hash_strings.h"
#include "gpu/cuda/search/kernels/match_count.h"
#include "gpu/cuda/search/kernels/near_limits.h"

namespace neardup::cuda {

// To be called once for a device before start_dense_match with such segments: raises the limit of
// shared memory. Throws CudaFailure when the device has too little.
void prepare_dense_match(u32 most_objects);

// Asynchronous: all return at once. Throw CudaFailure when a kernel could not be started.
void start_limit_lowering(cudaStream_t stream, const NearLimits& limits);
void start_row_scan(cudaStream_t stream, const NearRows& near);
void start_match_count(cudaStream_t stream, const CountMatches& count);
void start_dense_match(cudaStream_t stream, const DenseMatch& match);
void start_hashing(cudaStream_t stream, const Hashing& hashing);
void start_error_weighing(cudaStream_t stream, const WeighErrors& weigh);

}  // namespace neardup::cuda
