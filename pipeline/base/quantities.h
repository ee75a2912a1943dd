// Quantities as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace neardup {

// "912 bytes", "14.2 GB": powers of 1 000.
std::string human_bytes(double bytes);

// Milliseconds since 1970 → "2023-11-14T22:13:20.000Z".
std::string human_time(std::int64_t ms);

}  // namespace neardup
