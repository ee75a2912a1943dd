#include "pipeline/normalise_tokens.h"

#include <algorithm>
#include <limits>

namespace neardup {
namespace {

constexpr std::size_t kAsciiStep = std::size_t{16} << 10;
constexpr std::size_t kSlack = kAsciiStep + kAsciiOverrun;  // most that one step needs

}  // namespace

TokenWriter::TokenWriter(std::string& buffer, std::size_t limit, std::size_t expected_bytes)
    : buffer_(buffer), limit_(std::min(limit, std::numeric_limits<std::size_t>::max() / 4)) {
  const std::size_t wanted = std::min(limit_, expected_bytes) + kSlack;
  if (buffer_.size() < wanted) buffer_.resize(wanted);
  use(0);
}

void TokenWriter::use(std::size_t written) {
  begin_ = buffer_.data();
  out_ = begin_ + written;
  end_ = begin_ + std::min(buffer_.size(), limit_ + 1 + kSlack);
}

void TokenWriter::grow(std::size_t bytes) {
  auto written = static_cast<std::size_t>(out_ - begin_);
  // One byte more may be the space that finish() takes away.
  if (written > limit_ + 1) {
    full_ = true;
    written = 0;  // whatever comes has room
  }
  const std::size_t wanted = std::min(std::max(2 * buffer_.size(), written + bytes), limit_ + 1 + kSlack);
  if (buffer_.size() < wanted) buffer_.resize(wanted);
  use(written);
}

const char* TokenWriter::put_ascii(AsciiKernel kernel, const char* in, const char* end) {
  while (in != end && !full_) {
    const std::size_t step = std::min(static_cast<std::size_t>(end - in), kAsciiStep);
    make_room(step + kAsciiOverrun);
    const AsciiRun run = kernel(in, in + step, out_, in_word());
    out_ = run.out;
    tokens_ += run.separators;
    const bool stopped = run.in != in + step;
    in = run.in;
    if (stopped) break;
  }
  return in;
}

NormalisedText TokenWriter::finish() {
  if (in_word()) {
    ++tokens_;
  } else if (out_ != begin_) {
    --out_;
  }
  const auto bytes = static_cast<std::size_t>(out_ - begin_);
  if (full_ || bytes > limit_) return {.too_large = true};
  return {.bytes = bytes, .tokens = static_cast<std::uint32_t>(tokens_)};
}

}  // namespace neardup
