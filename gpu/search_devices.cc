#include "gpu/search_devices.h"

#include <fmt/core.h>

#include "gpu/backends.h"
#include "pipeline/base/failure.h"

#if defined(NEARDUP_CUDA)
#include "gpu/cuda/search/device_postings.h"
#include "gpu/cuda/search/device_rows.h"
#endif

namespace neardup {

SearchDevice search_device(const BackendOptions& options, std::uint64_t memory) {
  if (memory == 0 || options.name == BackendName::kCpu) return {};
  const std::string why_not = why_no_gpu(options.gpu);
  if (why_not.empty()) return {options.gpu.device, memory};
  if (options.name == BackendName::kAuto) return {};
  throw Failure(Exit::kConfig, fmt::format("backend: cuda: {}; use auto or cpu", why_not));
}

#if defined(NEARDUP_CUDA)

std::unique_ptr<DeviceRows> make_device_rows(const SearchDevice& device, std::uint32_t words_each) {
  constexpr std::uint32_t kPieceBytes = 8 << 20;
  DeviceRowLimits limits;
  limits.memory = device.memory;
  limits.piece_rows =
      static_cast<std::uint32_t>(kPieceBytes / (words_each * 8 + sizeof(NamespaceTag)));
  return cuda::make_device_rows(device.number, words_each, limits);
}

std::unique_ptr<DevicePostings> make_device_postings(const SearchDevice& device,
                                                     std::uint32_t words_each,
                                                     const std::vector<KeywordProbe>& probes) {
  DevicePostingLimits limits;
  limits.memory = device.memory;
  return cuda::make_device_postings(device.number, words_each, probes, limits);
}

#else

std::unique_ptr<DeviceRows> make_device_rows(const SearchDevice&, std::uint32_t) {
  throw DeviceFailure(why_no_gpu({}));
}

std::unique_ptr<DevicePostings> make_device_postings(const SearchDevice&, std::uint32_t,
                                                     const std::vector<KeywordProbe>&) {
  throw DeviceFailure(why_no_gpu({}));
}

#endif

}  // namespace neardup
