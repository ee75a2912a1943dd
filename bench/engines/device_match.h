// Match-counts over long postings on a GPU, for the bench of GENIE. Without CUDA in the build, or
// without a device, there is none: why_no_gpu (gpu/backends.h) says so.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "gpu/search/count_queue.h"

namespace neardup::bench {

class DeviceMatch {
 public:
  virtual ~DeviceMatch() = default;

  // The `most` best objects of each query, as best_matches (gpu/search/dense_match.h) gives them. A
  // query is its values, function by function.
  virtual std::vector<std::vector<MatchedObject>> best(std::span<const std::uint32_t> queries,
                                                       std::uint32_t most) = 0;
  virtual std::uint64_t bytes() const = 0;  // of the postings on the device
};

// The postings of objects of `functions` values below `domain`. values(object, out) writes those of
// an object. Throws std::runtime_error when the device fails, as best() does.
std::unique_ptr<DeviceMatch> make_device_match(
    std::uint32_t objects, std::uint32_t functions, std::uint32_t domain,
    const std::function<void(std::uint32_t object, std::uint32_t* out)>& values);

}  // namespace neardup::bench
