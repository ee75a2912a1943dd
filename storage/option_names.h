// The configuration values of the enums in storage/options.h, in the order of the enumerators.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "pipeline/core/enum_name.h"
#include "storage/options.h"

namespace neardup {

inline constexpr std::array<std::string_view, 2> kStoreNameNames{"rocksdb", "memory"};
constexpr std::span<const std::string_view> names(StoreName) { return kStoreNameNames; }

}  // namespace neardup
