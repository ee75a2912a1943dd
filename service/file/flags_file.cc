#include "service/file/flags_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <utility>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/file/input_list.h"
#include "service/file/later_flags.h"
#include "storage/files.h"

namespace neardup {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

[[noreturn]] void refuse(const StoredOutput& stored, const std::string& path, bool of_service) {
  throw Failure(
      Exit::kUnavailable,
      fmt::format("{} {} bytes to {}, which {}: restore it{}",
                  of_service ? "the service has written" : "an interrupted run wrote",
                  stored.length, stored.path,
                  stored.path == path ? "is missing, shorter or changed now"
                                      : fmt::format("is not the {} given now", path),
                  of_service ? ", or start once without `output.file`, then with a new file"
                             : " and rerun the same command, or use a new --state"));
}

bool has_bytes(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && status.st_size > 0;
}

bool is_stream(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

}  // namespace

FlagsFile::FlagsFile(const FlagsFileOptions& options)
    : key_(options.key), batch_(options.batch), restored_(options.restored) {
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
  regular_ = waits_ = true;
  open_file(options);
  if (!options.waits) begin();
}

FlagsFile::~FlagsFile() {
  if (waits_ && created_) ::unlink(path_.c_str());
  if (fd_ >= 0 && fd_ != STDOUT_FILENO) ::close(fd_);
}

void FlagsFile::open_file(const FlagsFileOptions& options) {
  if (!options.stored) return replace(options);
  const StoredOutput stored = parse_output(*options.stored);
  if (stored.path == path_) {
    if (auto tail = matching_tail(stored)) {
      if (!options.restored) require_one_batch(options, stored.length);
      tail_ = std::move(*tail);
      length_ = stored.length;
      continues_ = true;
      return open_to_write(options);
    }
  }
  if (options.half_read) refuse(stored, path_, options.of_service);
  replace(options);
}

// States of programs before 0.2.0 do not say how large a batch was.
void FlagsFile::require_one_batch(const FlagsFileOptions& options, std::uint64_t length) const {
  if (!options.stored_batch) return;
  std::uint64_t most = 0;
  const std::string& text = *options.stored_batch;
  std::from_chars(text.data(), text.data() + text.size(), most);
  most = std::max(most, options.batch);
  if (count_later_flags(path_, length, most) <= most) return;
  throw Failure(
      Exit::kUnavailable,
      fmt::format(
          "{} has {} flags after the {} bytes that the state knows, and a crash leaves at most {}: "
          "the state is older than the file, or has lost data. Restore the newer state; or copy "
          "the file and cut it to {} bytes: those flags are then written again",
          path_, count_later_flags(path_, length, kAll), length, most, length));
}

void FlagsFile::keep_later(std::uint64_t length) {
  later_.flags = count_later_flags(path_, length, kAll);
  if (later_.flags > 0) later_.path = keep_later_flags(path_, length);
}

void FlagsFile::open_to_write(const FlagsFileOptions& options) {
  struct stat status {};
  created_ = ::lstat(path_.c_str(), &status) != 0;
  fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd_ < 0) fail(std::strerror(errno));
  if (options.durable && !continues_) sync_directory(std::filesystem::path(path_).parent_path());
}

void FlagsFile::begin() {
  if (!std::exchange(waits_, false)) return;
  if (continues_ && restored_) keep_later(length_);
  if (::ftruncate(fd_, static_cast<off_t>(length_)) != 0 || ::lseek(fd_, 0, SEEK_END) < 0)
    fail(std::strerror(errno));
}

void FlagsFile::replace(const FlagsFileOptions& options) {
  if (options.of_service && has_bytes(path_)) {
    throw Failure(Exit::kUnavailable,
                  fmt::format("{} exists and was not written by this state: move it away, or set "
                              "`output.file` to another file",
                              path_));
  }
  open_to_write(options);
}

void FlagsFile::fail(std::string_view what) const {
  throw Failure(Exit::kIo, fmt::format("cannot write to {}: {}", path_, what));
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
  tail_.append(bytes.substr(bytes.size() - std::min(bytes.size(), kOutputTailBytes)));
  if (tail_.size() > kOutputTailBytes) tail_.erase(0, tail_.size() - kOutputTailBytes);
}

void FlagsFile::sync() {
  if (regular_ && ::fdatasync(fd_) != 0) fail(std::strerror(errno));
}

std::string FlagsFile::stored_value() const { return output_value(length_, tail_, path_); }

void FlagsFile::store(WriteSet& writes) const {
  writes.meta.emplace_back(key_, stored_value());
  if (key_ != kOutputKey) return;
  writes.meta.emplace_back(kOutputBatchKey, fmt::format("{}", batch_));
  if (restored_) writes.meta.emplace_back(kOutputRestoredKey, "");
}

}  // namespace neardup
