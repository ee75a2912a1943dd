// Puts folded text into tokens joined by one space, in a buffer from some byte on that never grows
// far beyond the limit.
#pragma once

#include <cstdint>
#include <string>

#include "pipeline/base/utf8.h"
#include "pipeline/text/normalise.h"
#include "pipeline/text/normalise_ascii.h"
#include "pipeline/text/spaceless.h"
#include "pipeline/text/unicode_tables.h"

namespace neardup {

// The block 4E00–9FFF: its code points stay as they are, meet no neighbour and are a token each.
inline bool is_ideograph(char32_t c) { return c - 0x4E00 < 0xA000 - 0x4E00; }

// Requires: valid UTF-8 at `at`.
inline bool at_ideograph(const char* at) {
  const auto byte = [at](int i) {
    return static_cast<unsigned>(static_cast<unsigned char>(at[i]));
  };
  // 4E00 starts with E4 B8; any other lead byte of the block has all second bytes, up to E9 BF.
  return byte(0) >= 0xE4 && byte(0) <= 0xE9 && (byte(0) != 0xE4 || byte(1) >= 0xB8);
}

// The end of the output. The output is empty, or ends with a word character (in_word), or with the
// space behind a finished token. Small enough to stay in registers through a loop. While a run of
// letters of a script without spaces is open (letter), only put_any() and put_letter() know of it.
struct TokenCursor {
  static constexpr std::size_t kMostOfCodePoint = 6;  // a space on either side

  char* out;
  std::uint64_t tokens = 0;  // finished ones
  bool in_word = false;
  char32_t letter = 0;  // in_word: the last kLetter of the run that is open; 0: a run of others

  // Puts one code point of folded text. Requires: room for kMostOfCodePoint bytes; not kLetter, and
  // no run of letters is open. Branchless, since the class of a character is unpredictable.
  void put(char32_t code_point, TokenClass token) {
    put_space(in_word & !in_run(token));
    char* behind = put_code_point(code_point, out);
    out = token == TokenClass::kSeparator ? out : behind;
    put_space(token == TokenClass::kSingle);
    in_word = in_run(token);
  }

  // As put(), for any code point at any place.
  void put_any(char32_t code_point, TokenClass token) {
    if (token == TokenClass::kLetter) {
      put_letter(code_point);
    } else if (letter != 0 && token == TokenClass::kMark) {
      out = put_code_point(code_point, out);
    } else {
      end_letters();
      put(code_point, token);
    }
  }

  // Puts a kLetter: a token begins before it where the run is cut, or where its run begins.
  void put_letter(char32_t code_point) {
    put_space(in_word && (letter == 0 || cut_between(letter, code_point)));
    out = put_code_point(code_point, out);
    in_word = true;
    letter = code_point;
  }

  // Ends the token of a run of letters, if one is open. Requires: room for a byte.
  void end_letters() {
    if (letter == 0) return;
    put_space(true);
    in_word = false;
    letter = 0;
  }

  // Puts the ideographs at `in`, up to the first other character, which is returned; or `end`.
  // Requires: valid UTF-8; room for end − in + (end − in) / 3 + 1 bytes.
  const char* put_ideographs(const char* in, const char* end) {
    put_space(in_word);
    in_word = false;
    letter = 0;
    for (; in != end && at_ideograph(in); in += 3) {
      out[0] = in[0];
      out[1] = in[1];
      out[2] = in[2];
      out[3] = ' ';
      out += 4;
      ++tokens;
    }
    return in;
  }

 private:
  void put_space(bool wanted) {
    *out = ' ';
    out += wanted;
    tokens += wanted;
  }
};

// Once the limit is passed, full() is true and the rest of the text need not be put.
class TokenWriter {
 public:
  TokenWriter(std::string& buffer, std::size_t offset, std::size_t limit,
              std::size_t expected_bytes);

  bool full() const { return full_; }

  // Puts one code point of folded text.
  void put(char32_t code_point, TokenClass token) {
    make_room(TokenCursor::kMostOfCodePoint);
    cursor_.put_any(code_point, token);
  }

  // Whether a run of letters of a script without spaces is open.
  bool in_letters() const { return cursor_.letter != 0; }

  // Puts ASCII text up to its first other byte, which is returned; or `end`.
  const char* put_ascii(AsciiKernel kernel, const char* in, const char* end);

  // Removes the ASCII character that was put last. Requires: that character, or the character that
  // it composes to, is put next. (A separator stays: putting one twice is the same as once.)
  void take_back_ascii();

  // A copy of the cursor with room for `bytes` (at most kMostAtOnce). To be followed by `move_to`.
  static constexpr std::size_t kMostAtOnce = std::size_t{16} << 10;
  TokenCursor cursor(std::size_t bytes) {
    make_room(bytes);
    return cursor_;
  }
  void move_to(const TokenCursor& cursor) { cursor_ = cursor; }

  NormalisedText finish();

 private:
  void make_room(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - cursor_.out) < bytes) grow(bytes);
  }
  void grow(std::size_t bytes);
  void require_room(std::size_t bytes);
  void use(std::size_t written);

  std::string& buffer_;
  std::size_t offset_;  // of the text in the buffer
  std::size_t limit_;
  TokenCursor cursor_{};
  char* begin_ = nullptr;
  char* end_ = nullptr;
  bool full_ = false;
};

}  // namespace neardup
