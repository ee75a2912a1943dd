#include "pipeline/normalise.h"

#include "pipeline/normalise_ascii.h"
#include "pipeline/normalise_segment.h"
#include "pipeline/normalise_tokens.h"
#include "pipeline/unicode_tables.h"
#include "pipeline/utf8.h"

namespace neardup {
namespace {

bool boundary_before(const char* at) { return rule_of(next_code_point(at)).before; }

}  // namespace

struct Normaliser::Impl {
  AsciiKernel ascii;
  SegmentFolder segments;

  // An ASCII run, and what its last character meets. (Each ASCII character has a boundary before it.)
  const char* put_ascii(const char* in, const char* end, TokenWriter& writer) {
    const char* stop = writer.put_ascii(ascii, in, end);
    if (stop == end || boundary_before(stop)) return stop;
    writer.take_back_ascii();
    return segments.fold(stop - 1, end, writer);
  }

  // Code points that stand for themselves or for one other, up to the next ASCII one; or one segment.
  // Requires: a boundary at `in`.
  const char* put_others(const char* in, const char* end, TokenWriter& writer) {
    const char* next = in;
    char32_t c = next_code_point(next);
    const CodePointRule* rule = &rule_of(c);
    while (c >= 0x80) {
      const char* after_next = next;
      const char32_t follower = next == end ? U'\0' : next_code_point(after_next);
      const CodePointRule* follower_rule = &rule_of(follower);
      if (rule->folding != Folding::kOne || !(rule->after || follower_rule->before)) {
        return segments.fold(in, end, writer);
      }
      writer.put(c + static_cast<char32_t>(rule->shift), rule->token);
      in = next;
      next = after_next;
      c = follower;
      rule = follower_rule;
    }
    return in;
  }
};

Normaliser::Normaliser(SimdLevel simd) : impl_(new Impl{.ascii = ascii_kernel(simd), .segments = {}}) {}
Normaliser::~Normaliser() = default;
Normaliser::Normaliser(Normaliser&&) noexcept = default;
Normaliser& Normaliser::operator=(Normaliser&&) noexcept = default;

NormalisedText Normaliser::normalise(std::string_view raw, std::size_t limit, std::string& out) {
  TokenWriter writer(out, limit, raw.size() + raw.size() / 3);
  const char* at = raw.data();
  const char* end = at + raw.size();
  while (at != end && !writer.full()) {
    const bool ascii = static_cast<unsigned char>(*at) < 0x80;
    at = ascii ? impl_->put_ascii(at, end, writer) : impl_->put_others(at, end, writer);
  }
  return writer.finish();
}

}  // namespace neardup
