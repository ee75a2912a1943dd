// A file by its bytes.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace neardup {

// XXH3 (64 bits) of all bytes of the file as stored. Throws Failure(kUnreadable), and
// Failure(kUsage) for what cannot be read again: a pipe, a device. ReadStopped once `stop` is set.
std::uint64_t content_hash(const std::string& path, const std::atomic<bool>& stop);

}  // namespace neardup
