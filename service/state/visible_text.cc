#include "service/state/visible_text.h"

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

}  // namespace neardup
