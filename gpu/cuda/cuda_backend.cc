#include "gpu/cuda/cuda_backend.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "gpu/cuda/kernels/sketch_kernels.h"
#include "gpu/cuda/slot_pool.h"
#include "pipeline/base/failure.h"
#include "pipeline/base/mutex.h"

namespace neardup::cuda {
namespace {

constexpr std::size_t kSlots = 3;  // one copies in, one computes, one copies out
constexpr int kLeastMajor = 8;     // compute capability that the kernels are compiled for
constexpr std::uint64_t kMostText = std::uint64_t{256} << 20;  // of a piece
constexpr std::uint64_t kLeastText = std::uint64_t{1} << 20;
constexpr std::uint64_t kTextOfDocument = 256;  // bytes; if the mean is less, pieces end early

// With `auto`: enough for the longest documents that are taken by default, for the most part.
constexpr std::uint64_t kAutoText = std::uint64_t{16} << 20;

// What a thread copies into pinned memory stays in its cache until the device reads it, and the
// device works while the thread fills the next slot.
constexpr std::uint64_t kEnoughText = std::uint64_t{4} << 20;

// One piece: other threads decode while one waits for the device. Larger chunks would not stay in
// the caches of the host on their way from reading to here.
constexpr CallSize kPreferredCall{4096, kEnoughText};

PieceLimits limits_of(ShingleUnit unit, std::uint64_t text_bytes) {
  const std::uint64_t documents = std::min(text_bytes, kEnoughText) / kTextOfDocument;
  return {text_bytes, most_units(unit, text_bytes) + documents,
          static_cast<std::uint32_t>(documents), kEnoughText};
}

std::uint64_t memory_of(const GpuOptions& options) {
  if (options.memory != 0) return options.memory;
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for the memory of the device");
  return free / 2;
}

// The largest pieces of which kSlots fit into the memory.
PieceLimits fitting_limits(const SketchPlan& plan, const GpuOptions& options) {
  const std::uint64_t memory = memory_of(options);
  const std::uint64_t most_text = options.memory == 0 ? kAutoText : kMostText;
  for (std::uint64_t text = most_text; text >= kLeastText; text /= 2) {
    const PieceLimits limits = limits_of(plan.shingle.unit, text);
    if (kSlots * slot_bytes(plan.shape(), limits) <= memory) return limits;
  }
  const std::uint64_t least =
      kSlots * slot_bytes(plan.shape(), limits_of(plan.shingle.unit, kLeastText));
  throw Failure(Exit::kConfig,
                fmt::format("gpu.memory: {} MiB are too little, the minimum is {} MiB",
                            memory >> 20, (least >> 20) + 1));
}

class CudaBackend : public Backend {
 public:
  CudaBackend(std::uint32_t device, const SketchPlan& plan, Backend& cpu,
              const std::function<PieceLimits()>& limits)
      : device_(chosen(static_cast<int>(device))),
        unit_(plan.shingle.unit),
        cpu_(cpu),
        keys_(plan, make_sketch_keys(plan)),
        limits_(limits()),
        pool_(kSlots, keys_, plan.shape(), limits_) {
    prepare_kernels(keys_.parameters());
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, device_), "reading the properties of the device");
    name_ = properties.name;
    report_.device_active = true;
    report_.device_bytes = kSlots * slot_bytes(plan.shape(), limits_);
  }

  void sketch(const TextBatch& texts, std::span<const SketchTask> tasks,
              SketchRows& rows) override {
    sketch_from(pool_.take(), texts, tasks, rows);
  }

  bool try_sketch(const TextBatch& texts, std::span<const SketchTask> tasks,
                  SketchRows& rows) override {
    auto slot = pool_.try_take();
    if (slot) sketch_from(std::move(*slot), texts, tasks, rows);
    return slot.has_value();
  }

  std::string description() const override {
    return fmt::format("cuda ({}, {} streams)", name_, kSlots);
  }

  // While all slots are busy, what the cores take.
  CallSize preferred_call() const override {
    return pool_.has_free() ? kPreferredCall : cpu_.preferred_call();
  }

  BackendReport report() const override {
    const MutexLock lock(mutex_);
    return report_;
  }

 private:
  // Makes the device current for this thread, so that later allocations are on it.
  static int chosen(int device) {
    check(cudaSetDevice(device), "choosing the device");
    return device;
  }

  void sketch_from(SlotPool::Lease first, const TextBatch& texts, std::span<const SketchTask> tasks,
                   SketchRows& rows) {
    try {
      chosen(device_);
      sketch_pieces(std::move(first), texts, tasks, rows);
    } catch (const CudaFailure& failure) {
      throw DeviceFailure(failure.what());
    }
  }

  // In `first`, and in what other slots are free.
  void sketch_pieces(std::optional<SlotPool::Lease> first, const TextBatch& texts,
                     std::span<const SketchTask> tasks, SketchRows& rows) {
    PieceBuilder builder(unit_, limits_);
    std::vector<SketchTask> fitting;
    std::vector<SketchTask> others;
    for (const SketchTask& task : tasks) {
      (builder.fits(texts.text(task.text).size()) ? fitting : others).push_back(task);
    }
    std::span<const SketchTask> left = fitting;
    std::deque<SlotPool::Lease> started;
    const auto start = [&](SlotPool::Lease slot) {
      left = left.subspan(builder.build(texts, left));
      slot->start(texts, builder);
      started.push_back(std::move(slot));
    };
    if (left.empty())
      first.reset();
    else
      start(std::move(*first));
    while (!left.empty() || !started.empty()) {
      auto slot = left.empty()      ? std::nullopt
                  : started.empty() ? std::optional(pool_.take())
                                    : pool_.try_take();
      if (slot) {
        start(std::move(*slot));
      } else {
        started.front()->finish(rows);
        add_times(started.front()->times());
        started.pop_front();
      }
    }
    if (!others.empty()) cpu_.sketch(texts, others, rows);
  }

  void add_times(const BackendTimes& times) {
    const MutexLock lock(mutex_);
    report_.times += times;
  }

  int device_;
  ShingleUnit unit_;
  Backend& cpu_;
  DeviceKeys keys_;
  PieceLimits limits_;
  std::string name_;
  mutable SlotPool pool_;
  mutable Mutex mutex_;
  BackendReport report_ GUARDED_BY(mutex_);
};

// `limits` is called after the device is current and the keys are in its memory.
std::unique_ptr<Backend> make(std::uint32_t device, const SketchPlan& plan, Backend& cpu,
                              const std::function<PieceLimits()>& limits) {
  try {
    // After a failure the device rejects every call until it is reset.
    if (cudaSetDevice(static_cast<int>(device)) != cudaSuccess || cudaFree(nullptr) != cudaSuccess)
      cudaDeviceReset();
    return std::make_unique<CudaBackend>(device, plan, cpu, limits);
  } catch (const CudaFailure& failure) {
    throw DeviceFailure(failure.what());
  }
}

// Of the newest CUDA that it is for; 0: there is none.
int driver_version() {
  int driver = 0;
  cudaDriverGetVersion(&driver);
  return driver;
}

// CUDA also reports a missing driver as one that is too old.
std::string about_driver() {
  const int driver = driver_version();
  const auto version = [](int number) {
    return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
  };
  if (driver == 0) return "there is no NVIDIA driver";
  return fmt::format("the NVIDIA driver is for CUDA {}, and CUDA {} is needed; install a newer one",
                     version(driver), version(CUDART_VERSION));
}

}  // namespace

bool has_driver() { return driver_version() != 0; }

std::string why_not(const GpuOptions& options) {
  int count = 0;
  const cudaError_t counted = cudaGetDeviceCount(&count);
  if (counted == cudaErrorInsufficientDriver) return about_driver();
  if (counted != cudaSuccess) return cudaGetErrorString(counted);
  if (options.device >= static_cast<std::uint32_t>(count)) {
    return fmt::format("gpu.device is {}, and there are {} devices", options.device, count);
  }
  int major = 0;
  const cudaError_t error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor,
                                                   static_cast<int>(options.device));
  if (error != cudaSuccess) return cudaGetErrorString(error);
  if (major < kLeastMajor) {
    return fmt::format("device {} has compute capability {}.x, the minimum is {}.0", options.device,
                       major, kLeastMajor);
  }
  return {};
}

std::unique_ptr<Backend> make_cuda_backend(const GpuOptions& options, const SketchPlan& plan,
                                           Backend& cpu) {
  return make(options.device, plan, cpu, [&] { return fitting_limits(plan, options); });
}

std::unique_ptr<Backend> make_cuda_backend(std::uint32_t device, const PieceLimits& limits,
                                           const SketchPlan& plan, Backend& cpu) {
  return make(device, plan, cpu, [&] { return limits; });
}

}  // namespace neardup::cuda
