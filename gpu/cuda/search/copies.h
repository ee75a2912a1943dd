// Copies between pinned memory and a device. All return before the copy is done.
#pragma once

#include "gpu/cuda/resources.h"

namespace neardup::cuda {

template <class T>
void copy_in(const Stream& stream, const T* from, T* to, std::size_t size) {
  check(cudaMemcpyAsync(to, from, size * sizeof(T), cudaMemcpyHostToDevice, stream.get()),
        "copying to the device");
}

template <class T>
void copy_out(const Stream& stream, const T* from, T* to, std::size_t size) {
  check(cudaMemcpyAsync(to, from, size * sizeof(T), cudaMemcpyDeviceToHost, stream.get()),
        "copying from the device");
}

inline void clear(const Stream& stream, void* memory, std::size_t bytes) {
  check(cudaMemsetAsync(memory, 0, bytes, stream.get()), "clearing memory");
}

}  // namespace neardup::cuda
