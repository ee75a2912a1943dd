#include "service/cli/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <string>

namespace neardup {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(200);
constexpr int kBarWidth = 24;

std::string bar(double share) {
  std::string text;
  for (int i = 0; i < kBarWidth; ++i) text += i < share * kBarWidth ? "█" : "░";
  return text;
}

std::string clock_text(double seconds) {
  const auto whole = std::llround(seconds);
  return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                      : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

ProgressLine::ProgressLine() : on_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const PipelineCounts& counts, std::uint64_t done, std::uint64_t total) {
  const Clock::time_point now = Clock::now();
  if (!on_ || now - last_ < kRedraw) return;
  last_ = now;
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string text;
  if (total > 0) {
    const double share = static_cast<double>(done) / static_cast<double>(total);
    text = fmt::format("{} {:3.0f} %  ", bar(share), share * 100);
    if (done > 0) text += fmt::format("{} left  ", clock_text(seconds * (1 - share) / share));
  }
  const std::uint64_t duplicates =
      counts.of(Status::kExactDuplicate) + counts.of(Status::kNearDuplicate);
  fmt::print(stderr, "\r\033[K{}{} documents  {} duplicates  {:.0f} MB/s", text, counts.documents(),
             duplicates, static_cast<double>(counts.input_bytes) / 1e6 / seconds);
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace neardup
