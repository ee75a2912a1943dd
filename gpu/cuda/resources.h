// Each class owns one CUDA resource. Destructors ignore errors: after a failure of the device
// nothing can be done about them.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "gpu/cuda/cuda_failure.h"

namespace neardup::cuda {

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream"); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { check(cudaEventCreateWithFlags(&event_, cudaEventBlockingSync), "making an event"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(const Stream& stream) {
    check(cudaEventRecord(event_, stream.get()), "recording an event");
  }
  // Blocks until all earlier work in its stream is done.
  void wait() const { check(cudaEventSynchronize(event_), "waiting for the device"); }
  // Requires: both are done.
  double seconds_since(const Event& earlier) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, earlier.event_, event_), "reading an event");
    return milliseconds / 1000.0;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

// Device memory, and pinned host memory, which the device accesses by DMA.
struct OnDevice {
  static cudaError_t allocate(void** data, std::size_t bytes) { return cudaMalloc(data, bytes); }
  static void free(void* data) { cudaFree(data); }
};
struct Pinned {
  static cudaError_t allocate(void** data, std::size_t bytes) {
    return cudaMallocHost(data, bytes);
  }
  static void free(void* data) { cudaFreeHost(data); }
};

template <class T, class Memory>
class Array {
 public:
  explicit Array(std::size_t size) : size_(size) {
    if (size == 0) return;
    void* data = nullptr;
    check(Memory::allocate(&data, size * sizeof(T)), "allocating memory for the device");
    data_ = static_cast<T*>(data);
  }
  ~Array() { Memory::free(data_); }
  Array(Array&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Array& operator=(Array&&) = delete;
  T* get() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

template <class T>
using DeviceArray = Array<T, OnDevice>;
template <class T>
using PinnedArray = Array<T, Pinned>;

template <class T>
DeviceArray<T> upload(std::span<const T> values) {
  DeviceArray<T> array(values.size());
  check(cudaMemcpy(array.get(), values.data(), values.size_bytes(), cudaMemcpyHostToDevice),
        "copying to the device");
  // Our non-blocking streams do not wait for this copy.
  check(cudaDeviceSynchronize(), "copying to the device");
  return array;
}

}  // namespace neardup::cuda
