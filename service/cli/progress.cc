#include "service/cli/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <optional>
#include <string>

#include "pipeline/base/json_object.h"

namespace neardup {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(200);
constexpr auto kEventEach = std::chrono::seconds(5);
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

std::optional<double> seconds_left(const InputProgress& input, double seconds) {
  if (input.total_bytes == 0 || input.done_bytes == 0) return {};
  const double share =
      static_cast<double>(input.done_bytes) / static_cast<double>(input.total_bytes);
  return seconds * (1 - share) / share;
}

std::uint64_t duplicates_of(const PipelineCounts& counts) {
  return counts.of(Status::kExactDuplicate) + counts.of(Status::kNearDuplicate);
}

std::string line_text(const PipelineCounts& counts, const InputProgress& input, double seconds) {
  std::string text;
  if (input.total_bytes > 0) {
    const double share =
        static_cast<double>(input.done_bytes) / static_cast<double>(input.total_bytes);
    text = fmt::format("{} {:3.0f} %  ", bar(share), share * 100);
  }
  if (const auto left = seconds_left(input, seconds))
    text += fmt::format("{} left  ", clock_text(*left));
  if (input.files > 1) text += fmt::format("{} of {} files  ", input.done_files, input.files);
  return text + fmt::format("{} documents  {} duplicates  {:.0f} MB/s", counts.documents(),
                            duplicates_of(counts),
                            static_cast<double>(counts.input_bytes) / 1e6 / seconds);
}

std::string event(const PipelineCounts& counts, const InputProgress& input, double seconds) {
  JsonObject object;
  object.text("event", "progress")
      .decimals("seconds", seconds, 1)
      .number("documents", counts.documents())
      .number("duplicates", duplicates_of(counts))
      .number("bytes", counts.input_bytes)
      .number("files_read", input.done_files)
      .number("files", input.files)
      .number("input_bytes_read", input.done_bytes);
  if (input.total_bytes > 0) object.number("input_bytes", input.total_bytes);
  if (const auto left = seconds_left(input, seconds)) object.decimals("seconds_left", *left, 1);
  return object.str();
}

}  // namespace

ProgressForm usual_progress() {
  return isatty(STDERR_FILENO) == 1 ? ProgressForm::kLine : ProgressForm::kNone;
}

ProgressLine::ProgressLine(ProgressForm form) : form_(form) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const PipelineCounts& counts, const InputProgress& input) {
  if (form_ == ProgressForm::kNone) return;
  const Clock::time_point now = Clock::now();
  const bool is_line = form_ == ProgressForm::kLine;
  if (now - last_ < (is_line ? Clock::duration(kRedraw) : Clock::duration(kEventEach))) return;
  last_ = now;
  drawn_ = is_line;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  is_line ? fmt::print(stderr, "\r\033[K{}", line_text(counts, input, seconds))
          : fmt::print(stderr, "{}\n", event(counts, input, seconds));
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace neardup
