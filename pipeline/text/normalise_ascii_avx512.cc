// Compiled for AVX-512 with VBMI and VBMI2: only intrinsics and static functions here, so that no
// shared inline function is ever emitted with these instructions.
#include "pipeline/text/normalise_ascii.h"

#if defined(__x86_64__)

#include <immintrin.h>

namespace neardup {
namespace {

// Folded bytes of 0x00–0x3F and of 0x40–0x7F; 0x20 for separators.
alignas(64) const char kLow[] =
    "                                "
    "                0123456789      ";
alignas(64) const char kHigh[] =
    " abcdefghijklmnopqrstuvwxyz    _"
    " abcdefghijklmnopqrstuvwxyz     ";

}  // namespace

AsciiRun ascii_run_avx512(const char* in, const char* end, char* out, bool in_word) {
  const __m512i low = _mm512_load_si512(kLow);
  const __m512i high = _mm512_load_si512(kHigh);
  const __m512i space = _mm512_set1_epi8(0x20);
  std::uint64_t carry = in_word;
  std::uint64_t separators = 0;
  while (in != end) {
    const auto left = static_cast<std::uint64_t>(end - in);
    std::uint64_t valid = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
    const __m512i bytes = _mm512_maskz_loadu_epi8(valid, in);
    const std::uint64_t other = _mm512_movepi8_mask(bytes);
    // Only the bytes below the first non-ASCII one.
    valid &= other == 0 ? ~std::uint64_t{0} : (other & (0 - other)) - 1;
    const __m512i folded = _mm512_permutex2var_epi8(low, bytes, high);
    const std::uint64_t word = _mm512_mask_cmpneq_epi8_mask(valid, folded, space);
    const std::uint64_t kept = (word | word << 1 | carry) & valid;
    // Compressing straight to memory is nine times slower on Zen 4.
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi8(kept, folded));
    out += _mm_popcnt_u64(kept);
    separators += static_cast<std::uint64_t>(_mm_popcnt_u64(kept & ~word));
    in += _mm_popcnt_u64(valid);
    carry = word >> 63;
    if (other != 0) break;
  }
  return {in, out, separators};
}

}  // namespace neardup

#endif
