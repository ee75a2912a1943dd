// The words of the enums in service/options.h, in their order.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "pipeline/core/enum_name.h"
#include "service/options.h"

namespace neardup {

inline constexpr std::array<std::string_view, 1> kInputFormatNames{"json"};
constexpr std::span<const std::string_view> names(InputFormat) { return kInputFormatNames; }

}  // namespace neardup
