#include "service/cli/copy_line.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "pipeline/base/quantities.h"
#include "pipeline/base/signals.h"

namespace neardup {
namespace {

constexpr std::chrono::milliseconds kBetween{200};

}  // namespace

CopyLine::CopyLine(std::string what) : what_(std::move(what)), terminal_(isatty(STDERR_FILENO)) {}

void CopyLine::add(std::uint64_t bytes) {
  if (stop_requested()) throw CopyStopped();
  bytes_ += bytes;
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now < next_) return;
  next_ = now + kBetween;
  shown_ = true;
  const std::chrono::duration<double> seconds = now - start_;
  fmt::print(stderr, "\r{}: {}, {}/s\033[K", what_, human_bytes(static_cast<double>(bytes_)),
             human_bytes(static_cast<double>(bytes_) / std::max(seconds.count(), 0.001)));
}

void CopyLine::end() {
  if (shown_) fmt::print(stderr, "\r\033[K");
  shown_ = false;
}

}  // namespace neardup
