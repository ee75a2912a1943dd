// Counting many pairs of sketches in one call, on the CPU or on a device (docs/gpu.md). All
// counters give the same counts.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "gpu/cpu/compare.h"
#include "gpu/options.h"
#include "pipeline/model/sketched_batch.h"

namespace neardup {

// Query i is compared with the rows that its list names: candidates[first[i], first[i + 1]). All
// rows are of one kind, sketches or 1-bit sketches, row-major; a row may be in several lists.
struct PairLists {
  std::span<const std::uint64_t> queries;
  std::span<const std::uint64_t> rows;
  std::span<const std::uint32_t> first;
  std::span<const std::uint32_t> candidates;
};

class PairCounter {
 public:
  virtual ~PairCounter() = default;

  // Sets counts[c] to the number of slots in which candidates[c] and its query are equal: for lists
  // of 1-bit sketches (`equal_bits`), or of sketches (`equal_values`). Requires: counts.size() ==
  // candidates.size(). One thread at a time.
  virtual void equal_bits(const PairLists& lists, std::span<std::uint32_t> counts) = 0;
  virtual void equal_values(const PairLists& lists, std::span<std::uint32_t> counts) = 0;
};

std::unique_ptr<PairCounter> make_cpu_pair_counter(const SketchShape& shape, const CpuOptions& cpu);

// The cost of a call in seconds. The host's part is measured (bench/results/gpu.md); the device's
// part follows from the bytes moved (docs/decisions/0013-candidates-on-the-host.md).
struct PairCosts {
  double host_pair_seconds = 2.1e-9;
  double host_bytes_per_second = 136e9;   // in addition: two rows a pair
  double gather_bytes_per_second = 10e9;  // rows and lists into pinned memory
  double bus_bytes_per_second = 25e9;
  double call_seconds = 60e-6;  // starting copies and kernels, and waiting

  double on_host(std::size_t pairs, std::size_t row_bytes) const;
  // `rows` includes the queries.
  double on_device(std::size_t pairs, std::size_t rows, std::size_t row_bytes) const;
  bool device_pays(const PairLists& lists, std::uint32_t row_words) const;
};

// Uses `device` for the calls that cost less there, until it fails, and `cpu` for all others.
// `device` may be null.
std::unique_ptr<PairCounter> make_choosing_pair_counter(const SketchShape& shape,
                                                        const PairCosts& costs,
                                                        std::unique_ptr<PairCounter> cpu,
                                                        std::unique_ptr<PairCounter> device);

}  // namespace neardup
