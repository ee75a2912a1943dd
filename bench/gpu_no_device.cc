// bench/gpu in a build without CUDA: nothing here is called, since why_no_gpu() is not empty.
#include <stdexcept>

#include "bench/gpu_device.h"
#include "gpu/backends.h"

namespace neardup::bench {

DeviceFacts device_facts() { throw std::logic_error("no device"); }
std::unique_ptr<PairCounter> make_device_pair_counter(const SketchShape&, std::uint32_t,
                                                      std::uint32_t) {
  throw std::logic_error("no device");
}
std::unique_ptr<DeviceScan> make_device_scan(std::span<const std::uint64_t>) {
  throw std::logic_error("no device");
}

}  // namespace neardup::bench
