#include "bench/gpu_rows.h"

#include <fmt/core.h>

#include "gpu/backends.h"

namespace neardup::bench {

GpuRows::GpuRows(const Options& options) : options_(options) {
  if (const std::string why_not = why_no_gpu({}); !why_not.empty()) {
    fmt::print(stderr, "no device ({}): rows of the CPU only\n", why_not);
    return;
  }
  device_ = device_facts();
  fmt::print(stderr, "{}: {:.0f} GB/s of memory at most\n", device_->name,
             device_->peak_bytes_per_second / 1e9);
}

double GpuRows::print(const Measured& row, double base) const {
  const double bytes = row.bytes * row.batch;
  const double rate = row.batch / row.timing.median;
  const auto gb_per_s = [](double amount, double seconds) {
    return seconds == 0 ? 0 : amount / seconds / 1e9;
  };
  const double kernels =
      gb_per_s(row.kernel_bytes == 0 ? bytes : row.kernel_bytes, row.times.kernel_seconds);
  Row()
      .text("stage", row.stage)
      .text("backend", row.backend)
      .number("size", row.size)
      .number("bytes", row.bytes, 1)
      .number("batch", row.batch)
      .rate("items_per_s", row.batch, row.timing)
      .number("gb_per_s", gb_per_s(bytes, row.timing.median), 3)
      .number("kernel_gb_per_s", kernels, 3)
      .number("share_of_peak", device_ ? kernels * 1e9 / device_->peak_bytes_per_second : 0, 3)
      .number("copy_in_gb_per_s", gb_per_s(bytes, row.times.copy_in_seconds), 3)
      .number("ratio", base == 0 ? 1 : rate / base, 2)
      .print(options_);
  return rate;
}

}  // namespace neardup::bench
