#include "storage/rocksdb/file_prefix.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "storage/files.h"

namespace neardup {
namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10;

std::uint64_t size_of(const Descriptor& file, const std::string& path) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail_file("reading its size", path);
  return static_cast<std::uint64_t>(status.st_size);
}

// Adds the bytes [from, to) to the hash; how many of them there were.
std::uint64_t add_bytes(const Descriptor& file, const std::string& path, std::uint64_t from,
                        std::uint64_t to, XXH3_state_t& hash) {
  std::vector<char> piece(std::min<std::uint64_t>(kPiece, to - from));
  std::uint64_t at = from;
  while (at < to) {
    const ssize_t got = ::pread(file.get(), piece.data(), std::min<std::uint64_t>(kPiece, to - at),
                                static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_file("reading", path);
    if (got == 0) break;
    XXH3_64bits_update(&hash, piece.data(), static_cast<std::size_t>(got));
    at += static_cast<std::uint64_t>(got);
  }
  return at - from;
}

RunningHash empty_hash() {
  RunningHash hash(XXH3_createState());
  XXH3_64bits_reset(hash.get());
  return hash;
}

}  // namespace

GrowingFile::GrowingFile(std::string path, std::uint64_t number)
    : path_(std::move(path)), number_(number), hash_(empty_hash()) {}

bool GrowingFile::follow(std::optional<std::uint64_t> synced) {
  const Descriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open() && errno == ENOENT) return false;
  if (!file.open()) fail_file("opening", path_);
  const std::uint64_t size = synced ? *synced : size_of(file, path_);
  if (size <= bytes_) return true;
  if (!synced) sync_data(file, path_);
  bytes_ += add_bytes(file, path_, bytes_, size, *hash_);
  return true;
}

FilePrefix GrowingFile::prefix() const {
  return {number_, bytes_, XXH3_64bits_digest(hash_.get())};
}

std::optional<std::string> difference_from(const FilePrefix& prefix, const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open() && errno == ENOENT) return "is missing";
  if (!file.open()) fail_file("opening", path);
  const std::uint64_t size = size_of(file, path);
  if (size < prefix.bytes) return fmt::format("has {} bytes, and had {}", size, prefix.bytes);
  const RunningHash hash = empty_hash();
  add_bytes(file, path, 0, prefix.bytes, *hash);
  if (XXH3_64bits_digest(hash.get()) != prefix.hash) return "has other bytes than were written";
  return {};
}

}  // namespace neardup
