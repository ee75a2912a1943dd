#include "service/file/block_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace neardup {
namespace {

constexpr std::size_t kReaderBlockBytes = std::size_t{256} << 10;

constexpr std::size_t kPieceBytes = 1024;  // of an escaped string
constexpr std::size_t kMostAtOnce = 8;     // bytes that a step writes to it
static_assert(std::endian::native == std::endian::little, "first_special counts from byte 0");

bool is_special(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

// The first of eight bytes that is special, 8 if none is. Mycroft's test for a zero byte, three
// times: it may find too much, but only behind a byte that it finds rightly.
std::size_t first_special(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHighs = kOnes * 0x80;
  const auto zero = [](std::uint64_t x) { return (x - kOnes) & ~x; };
  const std::uint64_t control = (word - kOnes * 0x20) & ~word;
  const std::uint64_t found = control | zero(word ^ kOnes * '"') | zero(word ^ kOnes * '\\');
  return static_cast<std::size_t>(std::countr_zero(found & kHighs)) / 8;
}

// At most six bytes. Returns their end.
char* escape(char c, char* to) {
  constexpr std::string_view kNamed = "\n\"\t\\\r\b\f", kLetters = "n\"t\\rbf";
  constexpr std::string_view kDigits = "0123456789abcdef";
  *to++ = '\\';
  const std::size_t at = kNamed.find(c);
  if (at != kNamed.npos) {
    *to++ = kLetters[at];
    return to;
  }
  const auto code = static_cast<unsigned char>(c);
  for (const char letter : {'u', '0', '0', kDigits[code >> 4], kDigits[code & 15]}) *to++ = letter;
  return to;
}

}  // namespace

BlockReader::BlockReader(std::unique_ptr<ByteStream> stream)
    : stream_(std::move(stream)),
      block_(std::make_unique_for_overwrite<char[]>(kReaderBlockBytes)) {}

std::string_view BlockReader::ahead() {
  if (at_ == filled_) {
    at_ = filled_ = 0;  // also when read throws
    filled_ = stream_->read(block_.get(), kReaderBlockBytes);
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
  char piece[kPieceBytes];
  char* to = piece;
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (at < end) {
    if (to > piece + kPieceBytes - 2 * kMostAtOnce) out.append(piece, std::exchange(to, piece));
    if (end - at >= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, sizeof word);
      std::memcpy(to, &word, sizeof word);
      const std::size_t plain = first_special(word);
      at += plain;
      to += plain;
      if (plain == sizeof word) continue;
    } else if (!is_special(*at)) {
      *to++ = *at++;
      continue;
    }
    to = escape(*at++, to);
  }
  out.append(piece, to);
}

}  // namespace neardup
