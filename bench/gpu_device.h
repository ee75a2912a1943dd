// The device that bench/gpu runs on. Without CUDA in the build, or without a device, there is none.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "bench/pairs/pair_counter.h"
#include "bench/pairs/pair_kernels.h"
#include "gpu/backends.h"

namespace neardup::bench {

struct DeviceFacts {
  std::string name;
  double peak_bytes_per_second = 0;  // of its memory: clock × bus width, twice a clock
};

// Requires: why_no_gpu() of device 0 is empty.
DeviceFacts device_facts();

// Requires the same. One call has at most `rows` rows, queries included, and `pairs` pairs.
std::unique_ptr<PairCounter> make_device_pair_counter(const SketchShape& shape, std::uint32_t rows,
                                                      std::uint32_t pairs);

// Distances of a query of `width` bits to packed small sketches, which stay on the device.
class DeviceScan {
 public:
  virtual ~DeviceScan() = default;
  // Seconds of the kernel, by the device's clock.
  virtual double run(std::uint32_t width, std::uint64_t query, cuda::PackedCount count) = 0;
  // Of the last run. Requires: at most cuda::distances_of_scan(words).
  virtual void read(std::span<std::uint64_t> distances) const = 0;
};
std::unique_ptr<DeviceScan> make_device_scan(std::span<const std::uint64_t> packed);

}  // namespace neardup::bench
