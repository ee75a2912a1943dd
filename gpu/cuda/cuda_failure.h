// A failed call of the CUDA runtime.
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace neardup::cuda {

class CudaFailure : public std::runtime_error {
 public:
  CudaFailure(cudaError_t error, const char* doing)
      : std::runtime_error(std::string(doing) + ": " + cudaGetErrorString(error)) {}
};

inline void check(cudaError_t error, const char* doing) {
  if (error != cudaSuccess) throw CudaFailure(error, doing);
}

}  // namespace neardup::cuda
