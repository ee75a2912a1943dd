// The benches of engines in a build without CUDA: nothing here is called, since why_no_gpu() is not
// empty.
#include <stdexcept>

#include "bench/engines/device_match.h"
#include "bench/engines/device_strings.h"

namespace neardup::bench {

std::unique_ptr<DeviceMatch> make_device_match(
    std::uint32_t, std::uint32_t, std::uint32_t,
    const std::function<void(std::uint32_t, std::uint32_t*)>&) {
  throw std::logic_error("no device");
}
std::unique_ptr<DeviceStrings> make_device_strings(const BitStrings&, const BitKeywords&,
                                                   const std::vector<KeywordProbe>&) {
  throw std::logic_error("no device");
}

}  // namespace neardup::bench
