// Calls of a device by any thread.
#pragma once

#include "gpu/backend.h"
#include "gpu/cuda/cuda_failure.h"

namespace neardup::cuda {

// Runs f() while the device is the chosen one. Its failures become DeviceFailures.
template <class F>
auto on_device(int device, F f) {
  try {
    check(cudaSetDevice(device), "choosing the device");
    return f();
  } catch (const CudaFailure& failure) {
    throw DeviceFailure(failure.what());
  }
}

}  // namespace neardup::cuda
