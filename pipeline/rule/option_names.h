// The words of the enums in pipeline/rule/options.h, in their order.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "pipeline/core/enum_name.h"
#include "pipeline/rule/options.h"

namespace neardup {

inline constexpr std::array<std::string_view, 2> kInvalidUtf8Names{"replace", "reject"};
constexpr std::span<const std::string_view> names(InvalidUtf8) { return kInvalidUtf8Names; }

inline constexpr std::array<std::string_view, 2> kAgainstNames{"kept", "all"};
constexpr std::span<const std::string_view> names(Against) { return kAgainstNames; }

inline constexpr std::array<std::string_view, 3> kVerifyModeNames{"none", "sketch", "exact"};
constexpr std::span<const std::string_view> names(VerifyMode) { return kVerifyModeNames; }

}  // namespace neardup
