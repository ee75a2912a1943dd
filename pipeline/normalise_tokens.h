// Puts folded text into tokens joined by one space, in a buffer that never grows far beyond the limit.
#pragma once

#include <cstdint>
#include <string>

#include "pipeline/normalise.h"
#include "pipeline/normalise_ascii.h"
#include "pipeline/unicode_tables.h"
#include "pipeline/utf8.h"

namespace neardup {

// What stands in the buffer is empty, or ends with a word character, or with the space behind a
// finished token. Once the limit is passed, full() is true and the rest of the text need not be put.
class TokenWriter {
 public:
  TokenWriter(std::string& buffer, std::size_t limit, std::size_t expected_bytes);

  bool full() const { return full_; }

  // One code point of folded text.
  void put(char32_t code_point, TokenClass token) {
    make_room(kMostOfCodePoint);
    if (token != TokenClass::kWord) end_token();
    if (token == TokenClass::kSeparator) return;
    out_ = put_code_point(code_point, out_);
    if (token == TokenClass::kSingle) end_token();
  }

  // ASCII text up to its first other byte, which is returned; or `end`.
  const char* put_ascii(AsciiKernel kernel, const char* in, const char* end);

  // Forgets the ASCII character that was put last. Requires: it, or what it becomes, is put next. (A
  // separator stays: putting one twice is the same as once.)
  void take_back_ascii() {
    if (in_word()) --out_;
  }

  NormalisedText finish();

 private:
  static constexpr std::size_t kMostOfCodePoint = 6;  // a space on either side

  bool in_word() const { return out_ != begin_ && out_[-1] != ' '; }

  void end_token() {
    if (!in_word()) return;
    *out_++ = ' ';
    ++tokens_;
  }

  void make_room(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - out_) < bytes) grow(bytes);
  }
  void grow(std::size_t bytes);
  void use(std::size_t written);

  std::string& buffer_;
  std::size_t limit_;
  char* begin_ = nullptr;
  char* out_ = nullptr;
  char* end_ = nullptr;
  std::uint64_t tokens_ = 0;  // finished ones
  bool full_ = false;
};

}  // namespace neardup
