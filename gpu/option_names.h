// The words of the enums in gpu/options.h, in their order.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "gpu/options.h"
#include "pipeline/core/enum_name.h"

namespace neardup {

inline constexpr std::array<std::string_view, 2> kShingleUnitNames{"word", "char"};
constexpr std::span<const std::string_view> names(ShingleUnit) { return kShingleUnitNames; }

inline constexpr std::array<std::string_view, 2> kSketchFamilyNames{"fast_similarity", "minhash"};
constexpr std::span<const std::string_view> names(SketchFamily) { return kSketchFamilyNames; }

inline constexpr std::array<std::string_view, 4> kMinhashHashNames{"2u", "4u", "permutation",
                                                                   "ms32"};
constexpr std::span<const std::string_view> names(MinhashHash) { return kMinhashHashNames; }

inline constexpr std::array<std::string_view, 3> kBackendNameNames{"auto", "cuda", "cpu"};
constexpr std::span<const std::string_view> names(BackendName) { return kBackendNameNames; }

inline constexpr std::array<std::string_view, 4> kSimdLevelNames{"auto", "portable", "avx2",
                                                                 "avx512"};
constexpr std::span<const std::string_view> names(SimdLevel) { return kSimdLevelNames; }

inline constexpr std::array<std::string_view, 5> kBitCountNames{"auto", "hardware", "word_parallel",
                                                                "divide_and_conquer", "naive"};
constexpr std::span<const std::string_view> names(BitCount) { return kBitCountNames; }

}  // namespace neardup
