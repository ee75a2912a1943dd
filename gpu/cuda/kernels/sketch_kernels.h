// Starts kernels on a stream: those of a piece, of pairs, of a scan. The .cu files are compiled by
// nvcc, all else by the host's compiler.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/cuda/kernels/pair_kernels.h"
#include "gpu/cuda/piece.h"

namespace neardup::cuda {

// To be called once for a device: raises the limits of shared memory to what `how` needs. Throws
// CudaFailure when the device has too little.
void prepare_kernels(const Parameters& how);

// Asynchronous: returns at once. Throws CudaFailure when a kernel could not be started.
void start_kernels(cudaStream_t stream, const Parameters& how, const Piece& piece);
void start_pairs(cudaStream_t stream, const Pairs& pairs);
void start_scan(cudaStream_t stream, const ScanPacked& scan);

}  // namespace neardup::cuda
