// The rows of bench/gpu.
//
// Items are documents, sets, pairs or sketches, of `bytes` bytes each, `batch` of them in a call.
// `items_per_s` and `gb_per_s` (of text, or of rows compared) are by the CPU time of one thread, or
// with a device by elapsed time, from texts in memory to rows in memory. Of the device alone:
// `kernel_gb_per_s` is by the time of its kernels, `share_of_peak` is the same relative to the peak
// bandwidth of its memory, and `copy_in_gb_per_s` is by the time of copying to it. `ratio` is
// items/s relative to the row that the stage is compared with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bench/gpu_device.h"
#include "bench/runner.h"
#include "gpu/backend.h"

namespace neardup::bench {

struct Measured {
  std::string stage;
  std::string backend;
  std::uint32_t size = 0;
  double bytes = 0;
  double batch = 0;
  Timing timing{};
  BackendTimes times{};     // of one call, of a device
  double kernel_bytes = 0;  // that the kernels of a call read and write; 0: bytes · batch
};

class GpuRows {
 public:
  // Says on stderr which device there is, or why there is none.
  explicit GpuRows(const Options& options);

  const Options& options() const { return options_; }
  bool wants(std::string_view stage) const { return options_.wants(stage); }
  bool has_device() const { return device_.has_value(); }

  // Returns the items per second. `base`: those of the row that this one is compared with, 0: none.
  double print(const Measured& row, double base) const;

 private:
  Options options_;
  std::optional<DeviceFacts> device_;
};

}  // namespace neardup::bench
