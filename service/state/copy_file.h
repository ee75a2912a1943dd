// Copies of files with a checksum of what was copied.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace neardup {

struct CopiedFile {
  std::string name;  // without a directory
  std::uint64_t bytes = 0;
  std::string xxh3_128;  // 32 hex digits, as `xxhsum -H2` shows them
  bool operator==(const CopiedFile&) const = default;
};

// Called with the size of each copied piece. May throw to stop the copy.
using CopyProgress = std::function<void(std::uint64_t bytes)>;

// Copies from/name to to/name, which must not exist, and syncs it. Throws Failure(kUnreadable) when
// the source cannot be read, Failure(kIo) when the copy cannot be written.
CopiedFile copy_file(const std::string& from, const std::string& to, const std::string& name,
                     const CopyProgress& progress);

}  // namespace neardup
