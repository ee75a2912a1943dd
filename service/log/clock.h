// The wall clock, for people: no flag depends on it.
#pragma once

#include <chrono>
#include <cstdint>

namespace neardup {

// Milliseconds since 1970, UTC.
inline std::int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace neardup
