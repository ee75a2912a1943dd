// Numbers among the small values of a store.
#pragma once

#include <cstdint>
#include <string_view>

#include "storage/store.h"

namespace neardup {

// The number in decimal at `key`, or `otherwise`.
std::int64_t meta_number(Store& store, std::string_view key, std::int64_t otherwise);

}  // namespace neardup
