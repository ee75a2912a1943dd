// Counting pairs on a GPU: rows and lists are copied there, counts come back.
#pragma once

#include <memory>

#include "bench/pairs/pair_counter.h"
#include "gpu/backend.h"

namespace neardup::cuda {

// The largest call. Memory for it is allocated at construction.
struct PairLimits {
  std::uint32_t rows = 0;  // of queries and candidates together
  std::uint32_t pairs = 0;
};

class CudaPairCounter : public PairCounter {
 public:
  // The phases of all calls, on the device's clock.
  virtual BackendTimes times() const = 0;
};

// Throws DeviceFailure when the device fails, here and in every call; also for a call that is
// larger than `limits`.
std::unique_ptr<CudaPairCounter> make_cuda_pair_counter(std::uint32_t device,
                                                        const SketchShape& shape,
                                                        const PairLimits& limits);

}  // namespace neardup::cuda
