// Starts the kernels of a piece on a stream. The .cu files are compiled by
// nvcc, all else by the host's compiler.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/cuda/piece.h"

namespace neardup::cuda {

// To be called once for a device: raises the limits of shared memory to what `how` needs. Throws
// CudaFailure when the device has too little.
void prepare_kernels(const Parameters& how);

// Asynchronous: returns at once. Throws CudaFailure when a kernel could not be started.
void start_kernels(cudaStream_t stream, const Parameters& how, const Piece& piece);

}  // namespace neardup::cuda
