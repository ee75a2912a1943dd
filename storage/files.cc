#include "storage/files.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "pipeline/base/failure.h"

namespace neardup {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr std::size_t kMostSmall = std::size_t{16} << 20;

}  // namespace

void fail_file(std::string_view doing, const std::string& path) {
  const std::string why = std::generic_category().message(errno);
  throw Failure(Exit::kIo, fmt::format("{}: {} failed: {}", path, doing, why));
}

Descriptor::~Descriptor() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

DirectoryLock::DirectoryLock(const std::string& path)
    : directory_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (!directory_.open()) fail_file("opening", path);
  held_ = ::flock(directory_.get(), LOCK_EX | LOCK_NB) == 0;
}

void write_all(const Descriptor& file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_file("writing", path);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void sync(const Descriptor& file, const std::string& path) {
  if (::fsync(file.get()) != 0) fail_file("syncing", path);
}

void sync_data(const Descriptor& file, const std::string& path) {
  if (::fdatasync(file.get()) != 0) fail_file("syncing", path);
}

void write_new_file(const std::string& path, std::string_view bytes, unsigned mode) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!file.open()) fail_file("creating", path);
  write_all(file, bytes, path);
  sync(file, path);
}

void rename_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) fail_file("renaming to it", to);
  sync_directory(std::filesystem::path(to).parent_path());
}

void replace_file(const std::string& path, std::string_view bytes) {
  const std::string temporary = fmt::format("{}.{}.new", path, ::getpid());
  try {
    write_new_file(temporary, bytes);
    rename_file(temporary, path);
  } catch (const Failure&) {
    ::unlink(temporary.c_str());
    throw;
  }
}

void sync_directory(const std::string& path) {
  const std::string name = path.empty() ? "." : path;
  const Descriptor directory(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.open()) fail_file("opening", name);
  sync(directory, name);
}

std::optional<std::string> read_small_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open() && errno == ENOENT) return {};
  if (!file.open()) fail_file("opening", path);
  std::string bytes;
  std::array<char, 1 << 16> part;
  while (bytes.size() < kMostSmall) {
    const ssize_t got = ::read(file.get(), part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_file("reading", path);
    if (got == 0) return bytes;
    bytes.append(part.data(), static_cast<std::size_t>(got));
  }
  throw Failure(Exit::kIo, fmt::format("{} is larger than {} bytes", path, kMostSmall));
}

void read_pieces(const std::string& path, std::uint64_t from,
                 const std::function<bool(std::string_view)>& take) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) fail_file("opening", path);
  std::string piece(kPiece, '\0');
  while (true) {
    const ssize_t got = ::pread(file.get(), piece.data(), piece.size(), static_cast<off_t>(from));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_file("reading", path);
    if (got == 0) return;
    from += static_cast<std::uint64_t>(got);
    if (!take({piece.data(), static_cast<std::size_t>(got)})) return;
  }
}

}  // namespace neardup
