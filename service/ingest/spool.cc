#include "service/ingest/spool.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "pipeline/core/failure.h"

namespace neardup {
namespace {

constexpr std::size_t kMostInMemory = std::size_t{64} << 10;

[[noreturn]] void fail(const std::string& directory) {
  throw Failure(Exit::kIo, fmt::format("{}: flags of a request cannot be written: {}", directory,
                                       std::strerror(errno)));
}

}  // namespace

Spool::~Spool() {
  if (file_ >= 0) ::close(file_);
}

void Spool::append(std::string_view bytes) {
  memory_.append(bytes);
  if (memory_.size() > kMostInMemory) write_out();
}

void Spool::write_out() {
  if (file_ < 0) file_ = ::open(directory_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file_ < 0) fail(directory_);
  for (std::string_view left = memory_; !left.empty();) {
    const ssize_t written = ::write(file_, left.data(), left.size());
    if (written < 0 && errno != EINTR) fail(directory_);
    left.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  in_file_ += memory_.size();
  memory_.clear();
}

bool Spool::read(std::uint64_t at, std::span<char> bytes) const {
  while (!bytes.empty() && at < in_file_) {
    const auto wanted = std::min<std::uint64_t>(bytes.size(), in_file_ - at);
    const ssize_t count = ::pread(file_, bytes.data(), wanted, static_cast<off_t>(at));
    if (count == 0 || (count < 0 && errno != EINTR)) return false;
    at += static_cast<std::uint64_t>(std::max<ssize_t>(count, 0));
    bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
  if (bytes.empty()) return true;
  memory_.copy(bytes.data(), bytes.size(), at - in_file_);
  return true;
}

}  // namespace neardup
