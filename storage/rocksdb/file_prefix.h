// The beginnings of files that only grow, as RocksDB's logs and manifests do.
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace neardup {

// The first `bytes` bytes of the file `number` of a database, and their XXH3.
struct FilePrefix {
  std::uint64_t number = 0;
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0;
  bool operator==(const FilePrefix&) const = default;
};

struct FreeHash {
  void operator()(XXH3_state_t* hash) const { XXH3_freeState(hash); }
};
using RunningHash = std::unique_ptr<XXH3_state_t, FreeHash>;

// Hashes a file while it grows: each byte is read once.
class GrowingFile {
 public:
  GrowingFile(std::string path, std::uint64_t number);

  // Takes in the first `synced` bytes; nothing: all of it, which is synced first. False: the file
  // is not there. Throws Failure(kIo).
  bool follow(std::optional<std::uint64_t> synced = {});
  const std::string& path() const { return path_; }
  FilePrefix prefix() const;

 private:
  std::string path_;
  std::uint64_t number_;
  std::uint64_t bytes_ = 0;
  RunningHash hash_;
};

// The fault of the file, to follow its name: "is missing", "has 7 bytes, and had 40", "has other
// bytes than were written". Nothing: it begins with these bytes. Throws Failure(kIo) when it cannot
// be read.
std::optional<std::string> difference_from(const FilePrefix& prefix, const std::string& path);

}  // namespace neardup
