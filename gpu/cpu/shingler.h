// Normalised text → shingle elements.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "gpu/keys.h"

namespace neardup {

struct Kernels;

// Not thread-safe: each thread has its own.
class Shingler {
 public:
  // Throws Failure(kConfig) when this machine lacks `simd`.
  Shingler(const ShingleOptions& options, const Seed& seed, SimdLevel simd);

  // All elements in text order, repeated ones too; valid until the next call.
  // Requires: the text is not empty; kTextPadding bytes past its end may be read.
  std::span<const std::uint64_t> elements(std::string_view padded_text);

  // The set of elements, sorted. `text` needs no padding.
  std::vector<std::uint64_t> sorted_set(std::string_view text);

 private:
  void make_room(std::size_t units);

  ShingleOptions options_;
  ShingleKeys keys_;
  const Kernels* kernels_;
  std::size_t room_ = 0;  // of both buffers
  std::unique_ptr<std::uint64_t[]> values_;
  std::unique_ptr<std::uint64_t[]> elements_;
};

}  // namespace neardup
