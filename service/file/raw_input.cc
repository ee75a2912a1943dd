#include "service/file/raw_input.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/file/remote_input.h"

namespace neardup {
namespace {

constexpr int kStopCheckMs = 100;

[[noreturn]] void fail(const std::string& path, std::string_view what) {
  throw Failure(Exit::kUnreadable, fmt::format("cannot read {}: {}", path, what));
}

int open_input(const std::string& path) {
  if (path == "-") return STDIN_FILENO;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail(path, std::strerror(errno));
  return fd;
}

}  // namespace

RawInput::RawInput(std::string path, const std::atomic<bool>* stop)
    : path_(std::move(path)), stop_(stop) {
  is_remote(path_) ? open_remote() : open_file();
  read_head();
}

void RawInput::open_remote() {
  try {
    remote_ = std::make_unique<RemoteStream>(path_);
  } catch (const Failure&) {
    throw;
  } catch (const std::exception& error) {
    fail(path_, explained(error.what()));
  }
  regular_ = true;
  size_ = remote_->size();
}

void RawInput::open_file() {
  fd_ = open_input(path_);
  struct stat status {};
  const bool known = ::fstat(fd_, &status) == 0;
  if (known && S_ISDIR(status.st_mode)) {
    if (path_ != "-") ::close(fd_);
    fail(path_, "it is a directory, and one file is needed");
  }
  regular_ = known && S_ISREG(status.st_mode) && path_ != "-";
  if (regular_) size_ = static_cast<std::uint64_t>(status.st_size);
}

void RawInput::read_head() {
  std::string first(kHeadBytes, '\0');
  std::size_t have = 0;
  try {
    while (have < first.size()) {
      const std::size_t got = read_file(first.data() + have, first.size() - have);
      if (got == 0) break;
      have += got;
    }
  } catch (const ReadStopped&) {
    // The next read throws again; the bytes read so far are still returned.
  }
  head_ = first.substr(0, have);
}

RawInput::~RawInput() {
  if (fd_ >= 0 && path_ != "-") ::close(fd_);
}

RawInput::RawInput(RawInput&& other) noexcept
    : path_(std::move(other.path_)),
      stop_(other.stop_),
      fd_(std::exchange(other.fd_, -1)),
      remote_(std::move(other.remote_)),
      regular_(other.regular_),
      size_(other.size_),
      offset_(other.offset_),
      head_(std::move(other.head_)) {}

void RawInput::wait_for_bytes() const {
  pollfd wanted{fd_, POLLIN, 0};
  while (::poll(&wanted, 1, kStopCheckMs) <= 0) {
    if (stop_->load(std::memory_order_relaxed)) throw ReadStopped();
  }
}

std::size_t RawInput::read_remote(char* to, std::size_t most) {
  try {
    return remote_->read(to, most, stop_);
  } catch (const std::exception& error) {
    fail(path_, fmt::format("at byte {}: {}", offset_, explained(error.what())));
  }
}

std::size_t RawInput::read_file(char* to, std::size_t most) {
  if (remote_) return read_remote(to, most);
  if (stop_ != nullptr && !regular_) wait_for_bytes();
  while (true) {
    const ssize_t got = ::read(fd_, to, most);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) fail(path_, fmt::format("{} at byte {}", std::strerror(errno), offset_));
  }
}

std::size_t RawInput::read(char* to, std::size_t most) {
  std::size_t got = 0;
  if (offset_ < head_.size()) {
    got = std::min(most, head_.size() - static_cast<std::size_t>(offset_));
    std::memcpy(to, head_.data() + offset_, got);
  } else {
    got = read_file(to, most);
  }
  offset_ += got;
  return got;
}

void RawInput::seek(std::uint64_t offset) {
  // The head is served from memory, so the descriptor is never before its end.
  const std::uint64_t at = std::max<std::uint64_t>(offset, head_.size());
  if (remote_) {
    remote_->seek(at);
  } else if (::lseek(fd_, static_cast<off_t>(at), SEEK_SET) < 0) {
    fail(path_, std::strerror(errno));
  }
  offset_ = offset;
}

}  // namespace neardup
