#include "host_runtime.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>

#include "bench/pairs/start_pairs.h"
#include "gpu/cuda/cuda_failure.h"
#include "gpu/cuda/kernels/kernels.h"
#include "gpu/cuda/kernels/serial_launcher.h"
#include "gpu/cuda/kernels/shared_memory.h"
#include "gpu/cuda/kernels/sketch_kernels.h"
#include "gpu/cuda/search/kernels/search_kernels.h"

// The opaque types of the runtime. What a stream is given to do is done when somebody waits for it,
// as late as a device may do it.
struct CUstream_st {
  std::deque<std::function<void()>> work;  // not done yet
  std::uint64_t done = 0;

  void push(std::function<void()> one) { work.push_back(std::move(one)); }
  std::uint64_t end() const { return done + work.size(); }
  void drop() {
    done = end();
    work.clear();
  }
  void run(std::uint64_t until) {
    for (; done < until; ++done) {
      const auto one = std::move(work.front());
      work.pop_front();
      one();
    }
  }
};
struct CUevent_st {
  std::chrono::steady_clock::time_point recorded;
  CUstream_st* stream = nullptr;  // and the end of its work that the event stands for
  std::uint64_t until = 0;
};

namespace neardup::testing {
namespace {

constexpr std::size_t kFilled = 256 << 10;

std::atomic<std::uint64_t> allocations;
std::atomic<std::uint64_t> held;
std::atomic<std::uint64_t> calls;
std::atomic<std::uint64_t> fails_at = [] {
  const char* const given = std::getenv("NEARDUP_DEVICE_FAILS_AFTER");
  return given == nullptr ? ~std::uint64_t{0} : std::strtoull(given, nullptr, 10);
}();
std::atomic<bool> failed;
std::atomic<std::uint64_t> free_memory = std::uint64_t{512} << 20;

// Of something that a failed device cannot do.
cudaError_t may_fail() {
  if (calls++ >= fails_at) failed = true;
  return failed ? cudaErrorLaunchFailure : cudaSuccess;
}

cudaError_t allocate(void** data, std::size_t bytes) {
  if (failed) return cudaErrorLaunchFailure;
  ++allocations;
  ++held;
  *data = std::malloc(bytes);
  std::memset(*data, 0xa5, std::min(bytes, kFilled));  // nothing may rely on zeros
  return cudaSuccess;
}

cudaError_t release(void* data) {
  if (data != nullptr) --held;
  std::free(data);
  return failed ? cudaErrorLaunchFailure : cudaSuccess;
}

// The shared memory that a block of a kernel may have: as on a device what was set last, for all
// backends of the process.
template <class Kernel>
std::atomic<std::uint32_t> shared_limit = 48 << 10;

template <class Kernel>
std::uint32_t block_bytes(std::uint32_t shared_bytes) {
  return cuda::groups_in_block(Kernel::kThreads, shared_bytes) * cuda::aligned_bytes(shared_bytes);
}

struct LimitSetter {
  template <class Kernel>
  void launch(const Kernel&, std::uint32_t, std::uint32_t shared_bytes) {
    shared_limit<Kernel> =
        static_cast<std::uint32_t>(cuda::shared_memory_limit(block_bytes<Kernel>(shared_bytes)));
  }
};

struct LimitChecker {
  template <class Kernel>
  void launch(const Kernel&, std::uint32_t, std::uint32_t shared_bytes) {
    if (block_bytes<Kernel>(shared_bytes) > shared_limit<Kernel>) {
      cuda::check(cudaErrorInvalidValue, "starting a kernel");
    }
  }
};

// `start_on` is called later, too.
template <class Start>
void start(cudaStream_t stream, Start start_on) {
  cuda::check(may_fail(), "starting a kernel");
  LimitChecker checker;
  start_on(checker);
  stream->push([start_on] {
    cuda::SerialLauncher launcher;
    start_on(launcher);
  });
}

cudaError_t push(cudaStream_t stream, std::function<void()> work) {
  const cudaError_t error = may_fail();
  if (error == cudaSuccess) stream->push(std::move(work));
  return error;
}

}  // namespace

RuntimeCounts runtime_counts() { return {allocations, held, calls}; }
void fail_after(std::uint64_t more) { fails_at = calls + more; }
void never_fail() { fails_at = ~std::uint64_t{0}; }
void set_free_memory(std::uint64_t bytes) { free_memory = bytes; }

}  // namespace neardup::testing

namespace neardup::cuda {

void prepare_kernels(const Parameters& how) {
  testing::LimitSetter setter;
  name_all_kernels(setter, how);
}

void start_kernels(cudaStream_t stream, const Parameters& how, const Piece& piece) {
  testing::start(stream, [=](auto& launcher) { sketch_piece(launcher, how, piece); });
}
void start_pairs(cudaStream_t stream, const Pairs& pairs) {
  testing::start(stream, [=](auto& launcher) { count_pairs(launcher, pairs); });
}
void start_scan(cudaStream_t stream, const ScanPacked& scan) {
  testing::start(stream, [=](auto& launcher) { scan_packed(launcher, scan); });
}

void prepare_dense_match(u32 most_objects) {
  testing::LimitSetter setter;
  name_dense_match(setter, most_objects);
}
void start_limit_lowering(cudaStream_t stream, const NearLimits& limits) {
  testing::start(stream, [=](auto& launcher) { lower_limits(launcher, limits); });
}
void start_row_scan(cudaStream_t stream, const NearRows& near) {
  testing::start(stream, [=](auto& launcher) { scan_rows(launcher, near); });
}
void start_match_count(cudaStream_t stream, const CountMatches& count) {
  testing::start(stream, [=](auto& launcher) { count_matches(launcher, count); });
}
void start_dense_match(cudaStream_t stream, const DenseMatch& match) {
  testing::start(stream, [=](auto& launcher) { match_dense(launcher, match); });
}
void start_hashing(cudaStream_t stream, const Hashing& hashing) {
  testing::start(stream, [=](auto& launcher) { hash_strings(launcher, hashing); });
}
void start_error_weighing(cudaStream_t stream, const WeighErrors& weigh) {
  testing::start(stream, [=](auto& launcher) { weigh_errors(launcher, weigh); });
}

}  // namespace neardup::cuda

namespace {

using namespace neardup::testing;

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
  const bool is_shared = which == cudaDevAttrMaxSharedMemoryPerBlockOptin;
  *value = is_shared ? 227 << 10 : 9;  // compute capability, and a very slow memory
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::strcpy(properties->name, "the host");
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = free_memory;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int) { return failed ? cudaErrorLaunchFailure : cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaDeviceReset() {
  failed = false;
  never_fail();
  return cudaSuccess;
}
const char* cudaGetErrorString(cudaError_t) { return "unspecified launch failure"; }

cudaError_t cudaMalloc(void** data, std::size_t bytes) { return allocate(data, bytes); }
cudaError_t cudaFree(void* data) { return release(data); }
cudaError_t cudaMallocHost(void** data, std::size_t bytes) { return allocate(data, bytes); }
cudaError_t cudaFreeHost(void* data) { return release(data); }

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream) {
  return push(stream, [=] { std::memcpy(to, from, bytes); });
}
cudaError_t cudaMemsetAsync(void* at, int value, std::size_t bytes, cudaStream_t stream) {
  return push(stream, [=] { std::memset(at, value, bytes); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  ++held;
  *stream = new CUstream_st;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  --held;
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  failed ? stream->drop() : stream->run(stream->end());
  return failed ? cudaErrorLaunchFailure : cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  ++held;
  *event = new CUevent_st;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  --held;
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const cudaError_t error =
      push(stream, [event] { event->recorded = std::chrono::steady_clock::now(); });
  event->stream = stream;
  event->until = stream->end();
  return error;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const cudaError_t error = may_fail();
  if (error == cudaSuccess && event->stream != nullptr) event->stream->run(event->until);
  return error;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  *milliseconds = std::chrono::duration<float, std::milli>(end->recorded - begin->recorded).count();
  return may_fail();
}

}  // extern "C"
