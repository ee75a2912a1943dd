// Distances of one query to many packed sketches by every way to count bits; compiled once for each
// instruction set from bits_scan_impl.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace neardup::bench {

// Sketches of `length` bits (8, 16, … 1024), packed in `words` words. Requires: words is a multiple
// of 64. Up to 32 bits, `query` is one word with the query in every field, and word i of `out` has
// the distances of the sketches of word i, each in its own field. For longer sketches, `out` is a
// list of 16-bit distances. A method that `packs` writes instead, up to 64 bits, 8 words of
// hd::pack_counts for each 8 × n words: the first has words 0, 8, … 8 × (n − 1), the second words
// 1, 9 ….
struct ScanInput {
  const std::uint64_t* query;
  const std::uint64_t* packed;
  std::size_t words;
  std::uint32_t length;
};
using Scan = void (*)(ScanInput, std::uint64_t* out);

struct ScanMethod {
  const char* name;
  const char* simd;
  Scan scan;
  bool packs = false;
};

// Scalar: 64-bit registers, no vectors, POPCNT. The others: the same code vectorised by the
// compiler, and counts by hand-written vector instructions. Empty when this machine lacks them.
std::span<const ScanMethod> scalar_scans();
std::span<const ScanMethod> avx2_scans();
std::span<const ScanMethod> avx512_scans();

}  // namespace neardup::bench
