#include "service/http/spool.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "service/http/message/problem.h"

namespace neardup {
namespace {

constexpr std::size_t kMostInMemory = std::size_t{64} << 10;  // of one answer

// A file without a name; -1: it cannot be made.
int open_file(const std::string& directory) {
  return ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

[[noreturn]] void fail(const std::string& directory) {
  throw Failure(Exit::kIo, fmt::format("{}: an answer cannot be written: {}", directory,
                                       std::strerror(errno)));
}

}  // namespace

SpoolFull::SpoolFull(std::uint64_t most)
    : Failure(Exit::kUnavailable,
              most != 0 ? fmt::format("the answer would take more than {} MiB", most >> 20)
                        : "answers that wait for their clients take all the room there is "
                          "(http.spool_disk)"),
      most_(most) {}

HttpAnswer problem_of(const SpoolFull& full, std::string_view advice, std::string_view then) {
  const bool alone = full.most() != 0;
  return problem(alone ? 413 : 503, alone ? "answer_too_large" : "answers_waiting",
                 fmt::format("{}: {}", full.what(), alone ? advice : then));
}

void require_spool_directory(const std::string& directory, std::string_view key) {
  const int file = open_file(directory);
  if (file < 0) {
    throw Failure(Exit::kConfig,
                  fmt::format("`{}`: {}: no file without a name can be made here: {}; give an "
                              "existing directory of a local disk",
                              key, directory, std::strerror(errno)));
  }
  ::close(file);
}

Spool::Spool(SpoolBudget& budget, std::uint64_t most)
    : budget_(budget), most_(std::min(most, budget.limit(SpoolPlace::kDisk))) {}

Spool::~Spool() {
  if (file_ >= 0) ::close(file_);
  budget_.give_back(SpoolPlace::kMemory, memory_.size());
  budget_.give_back(SpoolPlace::kDisk, taken_);
}

void Spool::append(std::string_view bytes) {
  if (bytes.size() > most_ - size()) {
    budget_.count_refusal();
    throw SpoolFull(most_);
  }
  if (!keep_in_memory(bytes)) write_out(bytes);
}

bool Spool::keep_in_memory(std::string_view bytes) {
  if (memory_.size() + bytes.size() > kMostInMemory) return false;
  if (!budget_.take(SpoolPlace::kMemory, bytes.size())) return false;
  memory_.append(bytes);
  return true;
}

void Spool::write_out(std::string_view more) {
  const std::uint64_t bytes = memory_.size() + more.size();
  if (!budget_.take(SpoolPlace::kDisk, bytes)) {
    budget_.count_refusal();
    throw SpoolFull(0);
  }
  taken_ += bytes;
  const std::string& directory = budget_.limits().directory;
  if (file_ < 0) file_ = open_file(directory);
  if (file_ < 0) fail(directory);
  write(memory_);
  write(more);
  in_file_ += bytes;
  budget_.give_back(SpoolPlace::kMemory, memory_.size());
  memory_ = {};
}

void Spool::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) fail(budget_.limits().directory);
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
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

bool SpoolBudget::take(SpoolPlace place, std::uint64_t bytes) {
  std::atomic<std::uint64_t>& used = used_of(place);
  const std::uint64_t most = limit(place);
  std::uint64_t now = used;
  do {
    if (now > most || bytes > most - now) return false;
  } while (!used.compare_exchange_weak(now, now + bytes));
  return true;
}

}  // namespace neardup
