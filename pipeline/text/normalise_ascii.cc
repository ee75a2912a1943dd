#include "pipeline/text/normalise_ascii.h"

#include <array>

#include "gpu/cpu/simd_level.h"

namespace neardup {
namespace {

constexpr unsigned char kNotAscii = 0xFF;

// A word character folded, 0x20 for a separator.
constexpr std::array<unsigned char, 256> kFolded = [] {
  std::array<unsigned char, 256> folded{};
  for (unsigned c = 0; c < 256; ++c) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    folded[c] = static_cast<unsigned char>(c >= 0x80 ? kNotAscii
                                           : upper   ? c + 0x20
                                           : kept    ? c
                                                     : 0x20);
  }
  return folded;
}();

}  // namespace

AsciiRun ascii_run_portable(const char* in, const char* end, char* out, bool in_word) {
  std::uint64_t separators = 0;
  for (; in != end; ++in) {
    const unsigned char folded = kFolded[static_cast<unsigned char>(*in)];
    if (folded == kNotAscii) break;
    const bool word = folded != 0x20;
    *out = static_cast<char>(folded);
    out += word | in_word;
    separators += !word & in_word;
    in_word = word;
  }
  return {in, out, separators};
}

AsciiKernel ascii_kernel(SimdLevel wanted) {
  switch (resolve_simd(wanted)) {
#if defined(__x86_64__)
    case SimdLevel::kAvx512:
      return ascii_run_avx512;
    case SimdLevel::kAvx2:
      return ascii_run_avx2;
#endif
    default:
      return ascii_run_portable;
  }
}

}  // namespace neardup
