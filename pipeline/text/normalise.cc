#include "pipeline/text/normalise.h"

#include <algorithm>

#include "pipeline/base/utf8.h"
#include "pipeline/text/normalise_ascii.h"
#include "pipeline/text/normalise_segment.h"
#include "pipeline/text/normalise_tokens.h"
#include "pipeline/text/unicode_tables.h"

namespace neardup {
namespace {

constexpr std::size_t kStep = 1024;  // code points for which room is made at once

}  // namespace

struct Normaliser::Impl {
  AsciiKernel ascii;
  TextFold fold;
  SegmentFolder segments;
  std::string without_marks;  // reused

  NormalisedText normalise(std::string_view raw, std::size_t limit, std::string& out,
                           std::size_t begin) {
    TokenWriter writer(out, begin, limit, raw.size() + raw.size() / 3);
    const char* at = raw.data();
    const char* end = at + raw.size();
    while (at != end && !writer.full()) {
      if (static_cast<unsigned char>(*at) < 0x80) {
        at = put_ascii(at, end, writer);
      } else if (at_ideograph(at)) {
        at = put_ideographs(at, end, writer);
      } else if (writer.in_letters()) {
        at = put_letters(at, end, writer);
      } else {
        at = put_others(at, end, writer);
      }
    }
    return writer.finish();
  }

  // Puts an ASCII run, and when no boundary follows it, the segment that begins with its last
  // character. (Each ASCII character has a boundary before it.)
  const char* put_ascii(const char* in, const char* end, TokenWriter& writer) {
    const char* stop = writer.put_ascii(ascii, in, end);
    if (stop == end || boundary_before(stop)) return stop;
    writer.take_back_ascii();
    return segments.fold(stop - 1, end, writer);
  }

  const char* put_ideographs(const char* in, const char* end, TokenWriter& writer) {
    TokenCursor cursor = writer.cursor(kStep * TokenCursor::kMostOfCodePoint);
    const char* stop = in + std::min(static_cast<std::size_t>(end - in), kStep * 3);
    in = cursor.put_ideographs(in, stop);
    writer.move_to(cursor);
    return in;
  }

  // Puts letters of scripts without spaces and their marks, up to another code point; or puts one
  // segment. Requires: a boundary at `in`.
  const char* put_letters(const char* in, const char* end, TokenWriter& writer) {
    TokenCursor cursor = writer.cursor(kStep * TokenCursor::kMostOfCodePoint);
    const char* next = in;
    char32_t c = next_code_point(next);
    const CodePointRule* rule = &rule_of(c);
    for (std::size_t step = 1; step < kStep; ++step) {
      const char* after_next = next;
      const char32_t follower = next == end ? U'\0' : next_code_point(after_next);
      const CodePointRule* follower_rule = &rule_of(follower);
      if (rule->folding != Folding::kOne || !(rule->after || follower_rule->before)) {
        writer.move_to(cursor);
        return segments.fold(in, end, writer);
      }
      if (rule->token != TokenClass::kLetter && rule->token != TokenClass::kMark) {
        cursor.end_letters();
        break;
      }
      cursor.put_any(c + static_cast<char32_t>(rule->shift), rule->token);
      in = next;
      if (in == end) break;
      next = after_next;
      c = follower;
      rule = follower_rule;
    }
    writer.move_to(cursor);
    return in;
  }

  // Puts code points that fold to one code point each, up to a run of ASCII, ideographs or letters
  // of scripts without spaces; or puts one segment. Requires: a boundary at `in`.
  const char* put_others(const char* in, const char* end, TokenWriter& writer) {
    TokenCursor cursor = writer.cursor(kStep * TokenCursor::kMostOfCodePoint);
    const char* next = in;
    char32_t c = next_code_point(next);
    const CodePointRule* rule = &rule_of(c);
    for (std::size_t step = 0; step < kStep; ++step) {
      const char* after_next = next;
      const char32_t follower = next == end ? U'\0' : next_code_point(after_next);
      const CodePointRule* follower_rule = &rule_of(follower);
      // A single ASCII character, mostly a space, or a single ideograph is handled here, too.
      if ((c < 0x80 && follower < 0x80) || (is_ideograph(c) && is_ideograph(follower))) break;
      if (!rule->plain | !(rule->after | follower_rule->before)) {
        writer.move_to(cursor);
        return rule->token == TokenClass::kLetter ? put_letters(in, end, writer)
                                                  : segments.fold(in, end, writer);
      }
      cursor.put(c + static_cast<char32_t>(rule->shift), rule->token);
      in = next;
      next = after_next;
      c = follower;
      rule = follower_rule;
    }
    writer.move_to(cursor);
    return in;
  }
};

Normaliser::Normaliser(SimdLevel simd, TextFold fold)
    : impl_(new Impl{
          .ascii = ascii_kernel(simd), .fold = fold, .segments = {}, .without_marks = {}}) {}
Normaliser::~Normaliser() = default;
Normaliser::Normaliser(Normaliser&&) noexcept = default;
Normaliser& Normaliser::operator=(Normaliser&&) noexcept = default;

NormalisedText Normaliser::normalise(std::string_view raw, std::size_t limit, std::string& out,
                                     std::size_t begin) {
  if (impl_->fold == TextFold::kMarks && remove_marks(raw, impl_->without_marks))
    raw = impl_->without_marks;
  const NormalisedText text = impl_->normalise(raw, limit, out, begin);
  if (impl_->fold == TextFold::kNone || text.too_large) return text;
  // Presentation forms fold to letters with marks.
  const std::string_view found = std::string_view(out).substr(begin, text.bytes);
  if (!remove_marks(found, impl_->without_marks)) return text;
  return impl_->normalise(impl_->without_marks, limit, out, begin);
}

}  // namespace neardup
