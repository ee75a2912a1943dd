// Work on a device that fails at each of its steps in turn.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "gpu/backend.h"
#include "host_runtime.h"

namespace neardup::testing {

// Each failure is a DeviceFailure of `work`, and leaves nothing held. Requires: the work has more
// than `least` steps.
template <class Work>
void expect_failures_are_reported(std::uint64_t least, const Work& work) {
  const std::uint64_t before = runtime_counts().calls;
  work();
  const std::uint64_t steps = runtime_counts().calls - before;
  EXPECT_GT(steps, least);
  for (std::uint64_t step = 0; step < steps; ++step) {
    fail_after(step);
    EXPECT_THROW(work(), DeviceFailure) << step;
    EXPECT_EQ(runtime_counts().held, 0u);
    cudaDeviceReset();
  }
  work();
}

}  // namespace neardup::testing
