// The rows of bench/gpu.
//
// Columns: items are documents, sets, pairs or sketches, of `bytes` bytes each, `batch` of them a
// call; `gb_per_s` is text, or the rows that are compared; by the CPU time of the one thread, or
// with a device by the clock on the wall, from the texts in memory to the rows there. Of the device
// alone: the same by the time of its kernels, as a share of the peak of its memory, and of copying
// to it. `ratio`: items/s beside those of the row that the stage is compared with.
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
  double kernel_bytes = 0;  // that a call's kernels must read; 0: as many as there are
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
