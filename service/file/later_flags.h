// Flags in a file after the ones that a state knows.
#pragma once

#include <cstdint>
#include <string>

namespace neardup {

// The lines behind the first `length` bytes, a last one without its end among them. Reads on until
// it has found more than `enough`. Throws Failure(kIo).
std::uint64_t count_later_flags(const std::string& path, std::uint64_t length,
                                std::uint64_t enough);

// Copies what is behind the first `length` bytes to a new file, `path`.later-1 or with the next
// free number, synced; its path. Takes as much disk. Throws Failure(kIo).
std::string keep_later_flags(const std::string& path, std::uint64_t length);

}  // namespace neardup
