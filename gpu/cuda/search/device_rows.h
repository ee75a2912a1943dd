// Rows on a GPU.
#pragma once

#include <memory>

#include "gpu/search/device_rows.h"

namespace neardup::cuda {

// Rows of `words_each` words, at most 4096. Throws Failure(kConfig) when limits.memory does not
// suffice for queries and pieces, and DeviceFailure.
std::unique_ptr<DeviceRows> make_device_rows(std::uint32_t device, std::uint32_t words_each,
                                             const DeviceRowLimits& limits);

}  // namespace neardup::cuda
