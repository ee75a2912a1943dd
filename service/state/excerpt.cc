#include "service/state/excerpt.h"

#include <algorithm>

#include "pipeline/base/utf8.h"

namespace neardup {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

char32_t visible_form(char32_t c) {
  if (c == U'\t' || c == U'\n') return U' ';
  if (c < 0x20) return 0x2400 + c;
  if (c == 0x7F) return 0x2421;
  return c >= 0x80 && c < 0xA0 ? kReplacement : c;
}

constexpr std::string_view kCut = " … ";

// The last place up to `at` at which a code point begins.
std::size_t code_point_before(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && continues_code_point(text[at])) --at;
  return at;
}

// In the order of the text; adjacent ones are merged.
std::vector<ByteRange> joined(std::vector<ByteRange> marks) {
  std::ranges::sort(marks, {}, &ByteRange::begin);
  std::vector<ByteRange> apart;
  for (const ByteRange& mark : marks) {
    if (mark.begin == mark.end) continue;
    if (apart.empty() || apart.back().end < mark.begin) {
      apart.push_back(mark);
    } else {
      apart.back().end = std::max(apart.back().end, mark.end);
    }
  }
  return apart;
}

class ExcerptWriter {
 public:
  explicit ExcerptWriter(std::size_t most) : most_(most) {}

  void add(std::string_view stretch, bool marked) {
    if (full_ || stretch.empty()) return;
    const std::string part = without_middle(stretch);
    const std::size_t begin = excerpt_.text.size();
    full_ = begin + part.size() > most_;
    excerpt_.text += full_ ? shortened(part, most_ - begin) : part;
    if (marked) excerpt_.marks.push_back({begin, excerpt_.text.size()});
  }

  Excerpt take() { return std::move(excerpt_); }

 private:
  const std::size_t most_;
  Excerpt excerpt_;
  bool full_ = false;
};

}  // namespace

std::string visible_text(std::string_view text) {
  std::string valid;  // an argument of a command is any bytes
  replace_invalid_utf8(text, valid);
  std::string out;
  const char* const end = valid.data() + valid.size();
  for (const char* at = valid.data(); at < end;) {
    char bytes[4];
    out.append(bytes, put_code_point(visible_form(next_code_point(at)), bytes));
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  return std::string(text.substr(0, code_point_before(text, most))) + "…";
}

std::string without_middle(std::string_view text, std::size_t most) {
  if (text.size() <= 2 * most + kCut.size()) return std::string(text);
  const std::size_t begin = code_point_before(text, most);
  const std::size_t end = code_point_before(text, text.size() - most);
  return std::string(text.substr(0, begin)).append(kCut).append(text.substr(end));
}

Excerpt excerpt_of(std::string_view text, std::vector<ByteRange> marks, std::size_t most) {
  marks = joined(std::move(marks));
  if (text.size() <= most) return {std::string(text), std::move(marks)};
  ExcerptWriter writer(most);
  std::size_t at = 0;
  for (const ByteRange& mark : marks) {
    writer.add(text.substr(at, mark.begin - at), false);
    writer.add(text.substr(mark.begin, mark.end - mark.begin), true);
    at = mark.end;
  }
  writer.add(text.substr(at), false);
  return writer.take();
}

}  // namespace neardup
