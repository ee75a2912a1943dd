#include "service/records/unescape_letters.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <array>
#include <string_view>

#include "gpu/cpu/simd_level.h"

namespace neardup {
namespace {

// What the escapes of one letter stand for; 0 for other letters.
constexpr std::array<char, 256> kMeanings = [] {
  std::array<char, 256> meanings{};
  constexpr std::string_view kNames = "\"\\/bfnrt", kBytes = "\"\\/\b\f\n\r\t";
  for (std::size_t i = 0; i < kNames.size(); ++i)
    meanings[static_cast<unsigned char>(kNames[i])] = kBytes[i];
  return meanings;
}();

// Copies up to the next backslash or the end. Escapes are some 75 bytes apart in prose: calls of
// memchr and memcpy for each would take longer than these few vectors.
void copy_plain(const char*& at, const char* end, char*& to) {
#if defined(__SSE2__)
  const __m128i backslash = _mm_set1_epi8('\\');
  for (; end - at >= 32; at += 32, to += 32) {
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), low);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 16), high);
    const auto found = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(low, backslash))) |
                       static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(high, backslash)))
                           << 16;
    if (found == 0) continue;
    at += __builtin_ctz(found);
    to += __builtin_ctz(found);
    return;
  }
#endif
  while (at != end && *at != '\\') *to++ = *at++;
}

}  // namespace

LettersRun unescape_letters_portable(const char* in, const char* end, char* out) {
  for (copy_plain(in, end, out); end - in >= 2; copy_plain(in, end, out)) {
    const char meaning = kMeanings[static_cast<unsigned char>(in[1])];
    if (meaning == 0) break;
    *out++ = meaning;
    in += 2;
  }
  return {in, out};
}

LettersKernel letters_kernel(SimdLevel wanted) {
  switch (resolve_simd(wanted)) {
#if defined(__x86_64__)
    case SimdLevel::kAvx512:
      return unescape_letters_avx512;
#endif
    default:
      return unescape_letters_portable;
  }
}

}  // namespace neardup
