// Postings on a GPU.
#pragma once

#include <memory>
#include <vector>

#include "gpu/search/device_postings.h"
#include "gpu/search/keyword_probes.h"

namespace neardup::cuda {

// For 1-bit sketches of `words_each` words and probes of keyword_probes. Throws Failure(kConfig)
// when limits.memory does not suffice for queries, and DeviceFailure.
std::unique_ptr<DevicePostings> make_device_postings(std::uint32_t device, std::uint32_t words_each,
                                                     const std::vector<KeywordProbe>& probes,
                                                     const DevicePostingLimits& limits);

}  // namespace neardup::cuda
