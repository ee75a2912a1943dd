// Compiled for AVX2: only intrinsics and static functions here, so that no shared inline function
// is ever emitted with these instructions.
#include "pipeline/text/normalise_ascii.h"

#if defined(__x86_64__)

#include <immintrin.h>

namespace neardup {
namespace {

// For each mask of 8 bytes, the places of its set bits: a shuffle that moves kept bytes to the
// front.
struct ShuffleTable {
  std::uint64_t places[256];
};
constexpr ShuffleTable make_shuffles() {
  ShuffleTable table{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    int to = 0;
    for (std::uint64_t from = 0; from < 8; ++from) {
      if (mask >> from & 1) table.places[mask] |= from << (8 * to++);
    }
  }
  return table;
}
constexpr ShuffleTable kShuffles = make_shuffles();

__m256i in_range(__m256i bytes, char first, char last) {
  const __m256i above = _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(static_cast<char>(first - 1)));
  return _mm256_and_si256(above,
                          _mm256_cmpgt_epi8(_mm256_set1_epi8(static_cast<char>(last + 1)), bytes));
}

std::uint32_t bits(__m256i bytes) {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
}

char* compress_eight(std::uint64_t bytes, std::uint32_t mask, char* out) {
  const __m128i shuffle = _mm_cvtsi64_si128(static_cast<long long>(kShuffles.places[mask]));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(out),
                   _mm_shuffle_epi8(_mm_cvtsi64_si128(static_cast<long long>(bytes)), shuffle));
  return out + _mm_popcnt_u32(mask);
}

char* compress(__m256i bytes, std::uint32_t mask, char* out) {
  if (mask == ~std::uint32_t{0}) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), bytes);
    return out + 32;
  }
  alignas(32) std::uint64_t eights[4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(eights), bytes);
  for (int i = 0; i < 4; ++i) out = compress_eight(eights[i], mask >> (8 * i) & 0xFF, out);
  return out;
}

}  // namespace

AsciiRun ascii_run_avx2(const char* in, const char* end, char* out, bool in_word) {
  std::uint32_t carry = in_word;
  std::uint64_t separators = 0;
  for (; end - in >= 32; in += 32) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in));
    if (_mm256_movemask_epi8(bytes) != 0) break;
    const __m256i upper = in_range(bytes, 'A', 'Z');
    const __m256i lower = _mm256_add_epi8(bytes, _mm256_and_si256(upper, _mm256_set1_epi8(0x20)));
    const __m256i is_word =
        _mm256_or_si256(_mm256_or_si256(in_range(lower, 'a', 'z'), in_range(bytes, '0', '9')),
                        _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('_')));
    const std::uint32_t word = bits(is_word);
    const std::uint32_t kept = word | word << 1 | carry;
    out = compress(_mm256_blendv_epi8(_mm256_set1_epi8(0x20), lower, is_word), kept, out);
    separators += static_cast<std::uint64_t>(_mm_popcnt_u32(kept & ~word));
    carry = word >> 31;
  }
  AsciiRun rest = ascii_run_portable(in, end, out, carry != 0);
  rest.separators += separators;
  return rest;
}

}  // namespace neardup

#endif
