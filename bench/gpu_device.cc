#include "bench/gpu_device.h"

#include "bench/pairs/cuda_pair_counter.h"
#include "bench/pairs/start_pairs.h"
#include "gpu/cuda/resources.h"

namespace neardup::bench {
namespace {

using cuda::check;

double attribute(cudaDeviceAttr which) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, 0), "reading the properties of the device");
  return value;
}

class ScanOnDevice : public DeviceScan {
 public:
  explicit ScanOnDevice(std::span<const std::uint64_t> packed)
      : packed_(cuda::upload(packed)), distances_(cuda::distances_of_scan(packed.size())) {}

  double run(std::uint32_t width, std::uint64_t query, cuda::PackedCount count) override {
    begin_.record(stream_);
    cuda::start_scan(stream_.get(),
                     {packed_.get(), distances_.get(), packed_.size(), query, width, count});
    end_.record(stream_);
    end_.wait();
    return end_.seconds_since(begin_);
  }
  void read(std::span<std::uint64_t> distances) const override {
    check(cudaMemcpy(distances.data(), distances_.get(), distances.size_bytes(),
                     cudaMemcpyDeviceToHost),
          "reading distances");
  }

 private:
  cuda::Stream stream_;
  cuda::Event begin_;
  cuda::Event end_;
  cuda::DeviceArray<std::uint64_t> packed_;
  cuda::DeviceArray<std::uint64_t> distances_;
};

}  // namespace

DeviceFacts device_facts() {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0), "reading the properties of the device");
  const double hertz = attribute(cudaDevAttrMemoryClockRate) * 1e3;
  return {properties.name, 2 * hertz * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8};
}

std::unique_ptr<PairCounter> make_device_pair_counter(const SketchShape& shape, std::uint32_t rows,
                                                      std::uint32_t pairs) {
  return cuda::make_cuda_pair_counter(0, shape, {rows, pairs});
}

std::unique_ptr<DeviceScan> make_device_scan(std::span<const std::uint64_t> packed) {
  return std::make_unique<ScanOnDevice>(packed);
}

}  // namespace neardup::bench
