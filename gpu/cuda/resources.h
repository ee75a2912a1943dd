// Owners of one CUDA resource each. They free it without asking for the outcome: after a failure of
// the device nothing could be done about it.
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
  // Sleeps until all that came before it in its stream is done.
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

// Memory of the device.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    void* data = nullptr;
    check(cudaMalloc(&data, size * sizeof(T)), "allocating memory of the device");
    data_ = static_cast<T*>(data);
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  T* get() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

// Memory of the host that the device copies from and to by itself.
template <class T>
class PinnedArray {
 public:
  explicit PinnedArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    void* data = nullptr;
    check(cudaMallocHost(&data, size * sizeof(T)), "pinning memory");
    data_ = static_cast<T*>(data);
  }
  ~PinnedArray() { cudaFreeHost(data_); }
  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;
  T* get() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

template <class T>
DeviceArray<T> upload(std::span<const T> values) {
  DeviceArray<T> array(values.size());
  check(cudaMemcpy(array.get(), values.data(), values.size_bytes(), cudaMemcpyHostToDevice),
        "copying keys to the device");
  return array;
}

}  // namespace neardup::cuda
