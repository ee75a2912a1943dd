// Settings of shingling, sketching and the backends, with their defaults. config/fields.cc has the
// bounds and the help of each key.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "pipeline/base/enum_name.h"

namespace neardup {

enum class ShingleUnit : std::uint8_t { kWord, kChar };
inline constexpr std::array<std::string_view, 2> kShingleUnitNames{"word", "char"};
constexpr std::span<const std::string_view> names(ShingleUnit) { return kShingleUnitNames; }

struct ShingleOptions {
  ShingleUnit unit = ShingleUnit::kWord;
  std::uint32_t size =
      5;  // units in a shingle; larger: fewer accidental matches, more sensitive to edits
};

enum class SketchFamily : std::uint8_t { kFastSimilarity, kMinhash };
inline constexpr std::array<std::string_view, 2> kSketchFamilyNames{"fast_similarity", "minhash"};
constexpr std::span<const std::string_view> names(SketchFamily) { return kSketchFamilyNames; }

enum class MinhashHash : std::uint8_t { k2u, k4u, kPermutation, kMs32 };
inline constexpr std::array<std::string_view, 4> kMinhashHashNames{"2u", "4u", "permutation",
                                                                   "ms32"};
constexpr std::span<const std::string_view> names(MinhashHash) { return kMinhashHashNames; }

// 128 bits that key every hash (docs/formats/sketch.md). The default is published.
struct Seed {
  std::uint64_t s0 = 0x243f6a8885a308d3;
  std::uint64_t s1 = 0x13198a2e03707344;
  bool operator==(const Seed&) const = default;
};

struct SketchOptions {
  SketchFamily family = SketchFamily::kFastSimilarity;
  std::uint32_t size = 256;  // values in a sketch (t or k); larger: finer estimates, more bytes
  std::uint32_t bits = 8;    // stored bits of a value: 1, 2, 4, 8, 16 or 32
  MinhashHash hash = MinhashHash::k2u;  // minhash only
  std::uint64_t universe = 0;           // minhash only; 0: the whole field
  Seed seed;
};

// Values of permutations are stored unmixed, so chance agreements depend on the sizes of the sets.
inline bool is_permutation(const SketchOptions& options) {
  return options.family == SketchFamily::kMinhash && options.hash == MinhashHash::kPermutation;
}

enum class BackendName : std::uint8_t { kAuto, kCuda, kCpu };
inline constexpr std::array<std::string_view, 3> kBackendNameNames{"auto", "cuda", "cpu"};
constexpr std::span<const std::string_view> names(BackendName) { return kBackendNameNames; }

enum class SimdLevel : std::uint8_t { kAuto, kPortable, kAvx2, kAvx512 };
inline constexpr std::array<std::string_view, 4> kSimdLevelNames{"auto", "portable", "avx2",
                                                                 "avx512"};
constexpr std::span<const std::string_view> names(SimdLevel) { return kSimdLevelNames; }

enum class BitCount : std::uint8_t { kAuto, kHardware, kWordParallel, kDivideAndConquer, kNaive };
inline constexpr std::array<std::string_view, 5> kBitCountNames{"auto", "hardware", "word_parallel",
                                                                "divide_and_conquer", "naive"};
constexpr std::span<const std::string_view> names(BitCount) { return kBitCountNames; }

// None of these changes a flag.
struct CpuOptions {
  std::uint32_t threads = 0;  // 0: one for each core that may be used
  SimdLevel simd = SimdLevel::kAuto;
  BitCount bit_count = BitCount::kAuto;
};

// For the cuda backend.
struct GpuOptions {
  std::uint32_t device = 0;
  std::uint64_t memory = 0;  // bytes of device memory, allocated at the start; 0: half of the free
                             // memory, 2 GiB at most
};

struct BackendOptions {
  BackendName name = BackendName::kAuto;
  CpuOptions cpu;
  GpuOptions gpu;
};

}  // namespace neardup
