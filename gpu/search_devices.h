// The GPU for searches, as the configuration asks for it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/options.h"
#include "gpu/search/device_postings.h"
#include "gpu/search/device_rows.h"
#include "gpu/search/keyword_probes.h"

namespace neardup {

struct SearchDevice {
  std::uint32_t number = 0;
  std::uint64_t memory = 0;  // bytes that searches may take on it; 0: there is no device
};

// The device for searches that may take `memory` bytes of it. None for backend: cpu, without
// memory, and where backend: auto finds no GPU. Throws Failure(kConfig) when backend: cuda finds
// none.
SearchDevice search_device(const BackendOptions& options, std::uint64_t memory);

// On a device. Throw Failure(kConfig) when its memory does not suffice, and DeviceFailure.
// Requires: device.memory > 0.
std::unique_ptr<DeviceRows> make_device_rows(const SearchDevice& device, std::uint32_t words_each);
std::unique_ptr<DevicePostings> make_device_postings(const SearchDevice& device,
                                                     std::uint32_t words_each,
                                                     const std::vector<KeywordProbe>& probes);

}  // namespace neardup
