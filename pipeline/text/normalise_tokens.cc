#include "pipeline/text/normalise_tokens.h"

#include <algorithm>
#include <limits>

namespace neardup {
namespace {

constexpr std::size_t kSlack =
    TokenWriter::kMostAtOnce + kAsciiOverrun + 1;  // most that one step needs

}  // namespace

TokenWriter::TokenWriter(std::string& buffer, std::size_t offset, std::size_t limit,
                         std::size_t expected_bytes)
    : buffer_(buffer),
      offset_(offset),
      limit_(std::min(limit, std::numeric_limits<std::size_t>::max() / 4)) {
  require_room(std::min(limit_, expected_bytes) + kSlack);
  use(0);
}

void TokenWriter::require_room(std::size_t bytes) {
  if (buffer_.size() < offset_ + bytes) buffer_.resize(offset_ + bytes);
}

void TokenWriter::use(std::size_t written) {
  begin_ = buffer_.data() + offset_;
  end_ = begin_ + std::min(buffer_.size() - offset_, limit_ + 1 + kSlack);
  cursor_.out = begin_ + written;
}

void TokenWriter::grow(std::size_t bytes) {
  auto written = static_cast<std::size_t>(cursor_.out - begin_);
  // One byte more may be the space that finish() takes away.
  if (written > limit_ + 1) {
    full_ = true;
    written = 0;  // everything that follows has room
  }
  const std::size_t room = buffer_.size() - offset_;
  require_room(std::min(std::max(2 * room, written + bytes), limit_ + 1 + kSlack));
  use(written);
}

const char* TokenWriter::put_ascii(AsciiKernel kernel, const char* in, const char* end) {
  while (in != end && !full_) {
    const char* stop = in + std::min(static_cast<std::size_t>(end - in), kMostAtOnce);
    make_room(static_cast<std::size_t>(stop - in) + kAsciiOverrun + 1);
    cursor_.end_letters();
    const AsciiRun run = kernel(in, stop, cursor_.out, cursor_.in_word);
    cursor_.out = run.out;
    cursor_.tokens += run.separators;
    cursor_.in_word = run.out != begin_ && run.out[-1] != ' ';
    in = run.in;
    if (in != stop) break;
  }
  return in;
}

void TokenWriter::take_back_ascii() {
  if (!cursor_.in_word) return;
  --cursor_.out;
  cursor_.in_word = cursor_.out != begin_ && cursor_.out[-1] != ' ';
}

NormalisedText TokenWriter::finish() {
  const auto written = static_cast<std::size_t>(cursor_.out - begin_);
  const bool space_at_end = !cursor_.in_word && written != 0;
  const std::size_t bytes = written - space_at_end;
  if (full_ || bytes > limit_) return {.too_large = true};
  return {.bytes = bytes, .tokens = static_cast<std::uint32_t>(cursor_.tokens + cursor_.in_word)};
}

}  // namespace neardup
