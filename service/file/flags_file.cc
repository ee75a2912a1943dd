#include "service/file/flags_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "fmt/format.h"
#include "pipeline/core/failure.h"
#include "service/file/input_list.h"

namespace neardup {
namespace {

constexpr std::size_t kTailBytes = 4096;

struct StoredOutput {
  std::uint64_t length = 0;
  std::string hash;
  std::string path;
};

StoredOutput parse_output(std::string_view value) {
  constexpr std::size_t kHashDigits = 32;
  StoredOutput stored;
  std::string_view rest = value.starts_with("1 ") ? value.substr(2) : std::string_view{};
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), stored.length);
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  if (error != std::errc{} || rest.size() < kHashDigits + 3 || rest[0] != ' ' ||
      rest[kHashDigits + 1] != ' ') {
    throw Failure(Exit::kConfig,
                  fmt::format("the state holds \"{}\" for its flags file, which this version "
                              "cannot read: use the version that wrote it, or a new --state",
                              value));
  }
  stored.hash = rest.substr(1, kHashDigits);
  stored.path = rest.substr(kHashDigits + 2);
  return stored;
}

// The up to kTailBytes bytes before `length`; nothing when the file cannot be read or is shorter.
std::optional<std::string> tail_before(const std::string& path, std::uint64_t length) {
  std::string tail(std::min<std::uint64_t>(kTailBytes, length), '\0');
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  const ssize_t got =
      ::pread(fd, tail.data(), tail.size(), static_cast<off_t>(length - tail.size()));
  ::close(fd);
  if (got != static_cast<ssize_t>(tail.size())) return std::nullopt;
  return tail;
}

[[noreturn]] void refuse(const StoredOutput& stored, const std::string& path, bool of_service) {
  throw Failure(
      Exit::kUnavailable,
      fmt::format("{} {} flag bytes to {}, which {}: restore it{}",
                  of_service ? "the service has written" : "an interrupted run wrote",
                  stored.length, stored.path,
                  stored.path == path ? "is missing, shorter or changed now"
                                      : fmt::format("is not the {} given now", path),
                  of_service ? ", or start once without `output.file`, then with a new file"
                             : " and run the same command again, or use a new --state"));
}

bool has_bytes(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && status.st_size > 0;
}

bool is_stream(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

// Makes a new file name durable.
bool sync_directory(const std::string& path) {
  const std::string directory = std::filesystem::path(path).parent_path().string();
  const int fd = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool good = ::fsync(fd) == 0;
  ::close(fd);
  return good;
}

}  // namespace

FlagsFile::FlagsFile(const FlagsFileOptions& options) {
  if (options.path.empty() || options.path == "-") {
    path_ = "standard output";
    fd_ = STDOUT_FILENO;
    return;
  }
  path_ = absolute_path(options.path);
  if (is_stream(path_)) {
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) fail(std::strerror(errno));
    return;
  }
  regular_ = true;
  open_file(options);
}

FlagsFile::~FlagsFile() {
  if (fd_ >= 0 && fd_ != STDOUT_FILENO) ::close(fd_);
}

void FlagsFile::open_file(const FlagsFileOptions& options) {
  if (!options.stored) return replace(options);
  const StoredOutput stored = parse_output(*options.stored);
  if (stored.path == path_) {
    if (auto tail = tail_before(path_, stored.length); tail && hash_hex(*tail) == stored.hash) {
      tail_ = std::move(*tail);
      return continue_at(stored.length);
    }
  }
  if (options.half_read) refuse(stored, path_, options.of_service);
  replace(options);
}

void FlagsFile::continue_at(std::uint64_t length) {
  fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd_ < 0 || ::ftruncate(fd_, static_cast<off_t>(length)) != 0 ||
      ::lseek(fd_, 0, SEEK_END) < 0) {
    fail(std::strerror(errno));
  }
  length_ = length;
}

void FlagsFile::replace(const FlagsFileOptions& options) {
  if (options.of_service && has_bytes(path_)) {
    throw Failure(Exit::kUnavailable,
                  fmt::format("{} is there, and this state has not written it: move it away, or "
                              "set `output.file` to another file",
                              path_));
  }
  fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0 || (options.durable && !sync_directory(path_))) fail(std::strerror(errno));
}

void FlagsFile::fail(std::string_view what) const {
  throw Failure(Exit::kIo, fmt::format("cannot write flags to {}: {}", path_, what));
}

void FlagsFile::append(std::string_view bytes) {
  for (std::string_view rest = bytes; !rest.empty();) {
    const ssize_t written = ::write(fd_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      fail(std::strerror(errno));
    }
  }
  length_ += bytes.size();
  tail_.append(bytes.substr(bytes.size() - std::min(bytes.size(), kTailBytes)));
  if (tail_.size() > kTailBytes) tail_.erase(0, tail_.size() - kTailBytes);
}

void FlagsFile::sync() {
  if (regular_ && ::fdatasync(fd_) != 0) fail(std::strerror(errno));
}

std::string FlagsFile::stored_value() const {
  return fmt::format("1 {} {} {}", length_, hash_hex(tail_), path_);
}

}  // namespace neardup
