// Error weighted hashing of strings of bits on a GPU, for bench/engines/hamming. Without CUDA in
// the build, or without a device, there is none: why_no_gpu (gpu/backends.h) says so.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bench/engines/bit_keywords.h"
#include "gpu/search/keyword_probes.h"
#include "gpu/search/shortlist.h"

namespace neardup::bench {

// Not owned.
struct BitStrings {
  const std::uint64_t* words;  // one string behind the other
  std::uint32_t count;
  std::uint32_t words_each;
};

class DeviceStrings {
 public:
  virtual ~DeviceStrings() = default;

  // Copies the strings to the device and hashes them; seconds. To be called first.
  virtual double hash() = 0;

  // For each query the `most` nearest of the strings whose probes' weights add up to `gate`. The
  // seq of a string is its number and 1.
  virtual std::vector<Shortlist> nearest(const BitStrings& queries, std::uint32_t gate,
                                         std::size_t most) = 0;
};

// Throws std::runtime_error when the device fails, as the calls do. The strings must outlive it.
std::unique_ptr<DeviceStrings> make_device_strings(const BitStrings& strings,
                                                   const BitKeywords& keywords,
                                                   const std::vector<KeywordProbe>& probes);

}  // namespace neardup::bench
