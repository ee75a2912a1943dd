// A file by its bytes.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace neardup {

// Throws Failure(kUsage) for what cannot be read a second time: a pipe, a device. Does not open it.
void require_file(const std::string& path);

// XXH3 (64 bits) of all bytes of the file as stored. Throws as require_file, Failure(kUnreadable),
// and ReadStopped once `stop` is set.
std::uint64_t content_hash(const std::string& path, const std::atomic<bool>& stop);

}  // namespace neardup
