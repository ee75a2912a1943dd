#include "service/file/block_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "fmt/format.h"

namespace neardup {
namespace {

constexpr std::size_t kReadAtOnce = std::size_t{256} << 10;

bool is_special(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

// True if any of eight bytes is special; Mycroft's test for a zero byte, three times.
bool any_special(const char* bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHighs = kOnes * 0x80;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  const auto zero = [](std::uint64_t x) { return (x - kOnes) & ~x; };
  const std::uint64_t control = (word - kOnes * 0x20) & ~word;
  return ((control | zero(word ^ kOnes * '"') | zero(word ^ kOnes * '\\')) & kHighs) != 0;
}

const char* next_special(const char* at, const char* end) {
  while (end - at >= 8 && !any_special(at)) at += 8;
  return std::find_if(at, end, is_special);
}

void append_escape(char c, std::string& out) {
  constexpr std::string_view kNamed = "\b\f\n\r\t\"\\", kLetters = "bfnrt\"\\";
  const std::size_t at = kNamed.find(c);
  if (at == kNamed.npos) {
    out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
  } else {
    out += '\\';
    out += kLetters[at];
  }
}

}  // namespace

BlockReader::BlockReader(std::unique_ptr<ByteStream> stream)
    : stream_(std::move(stream)), block_(std::make_unique_for_overwrite<char[]>(kReadAtOnce)) {}

std::string_view BlockReader::ahead() {
  if (at_ == filled_) {
    at_ = filled_ = 0;  // also when read throws
    filled_ = stream_->read(block_.get(), kReadAtOnce);
  }
  return {block_.get() + at_, filled_ - at_};
}

void BlockReader::take(std::size_t bytes) {
  at_ += bytes;
  position_ += bytes;
}

bool BlockReader::skip_to(std::uint64_t position) {
  if (position < position_) return false;
  const std::uint64_t wanted = position - position_;
  const std::size_t here = std::min<std::uint64_t>(wanted, filled_ - at_);
  take(here);
  position_ = position;
  return stream_->skip(wanted - here);
}

void append_json_bytes(std::string_view bytes, std::string& out) {
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (true) {
    const char* special = next_special(at, end);
    out.append(at, special);
    if (special == end) return;
    append_escape(*special, out);
    at = special + 1;
  }
}

}  // namespace neardup
