#include <immintrin.h>

#include "bench/bits_scan_impl.h"
#include "gpu/cpu/simd_level.h"

namespace neardup::bench {
namespace {

inline __m512i difference(const uint64_t* packed, __m512i query) {
  return _mm512_xor_si512(_mm512_loadu_si512(packed), query);
}

// VPOPCNTB/W of BITALG, VPOPCNTD/Q of VPOPCNTDQ.
struct Vpopcnt {
  template <uint32_t kLength>
  static void small(ScanInput in, uint64_t* out) {
    const __m512i query = _mm512_set1_epi64(static_cast<long long>(*in.query));
    for (size_t i = 0; i < in.words; i += 8) {
      const __m512i x = difference(in.packed + i, query);
      __m512i counts;
      if constexpr (kLength == 8) counts = _mm512_popcnt_epi8(x);
      if constexpr (kLength == 16) counts = _mm512_popcnt_epi16(x);
      if constexpr (kLength == 32) counts = _mm512_popcnt_epi32(x);
      _mm512_storeu_si512(out + i, counts);
    }
  }
  template <uint32_t kWords>
  static void large(ScanInput in, uint16_t* out) {
    if constexpr (kWords <= 8) {
      within_one_vector<kWords>(in, out);
    } else {
      const __m512i low = _mm512_loadu_si512(in.query);
      const __m512i high = _mm512_loadu_si512(in.query + 8);
      for (size_t i = 0; i < in.words; i += 16) {
        const __m512i sums =
            _mm512_add_epi64(_mm512_popcnt_epi64(difference(in.packed + i, low)),
                             _mm512_popcnt_epi64(difference(in.packed + i + 8, high)));
        *out++ = static_cast<uint16_t>(_mm512_reduce_add_epi64(sums));
      }
    }
  }

 private:
  // Adds the lanes of each sketch into its first lane, and stores those.
  template <uint32_t kWords>
  static void within_one_vector(ScanInput in, uint16_t* out) {
    constexpr __mmask8 kFirst[] = {0, 0xff, 0x55, 0, 0x11, 0, 0, 0, 0x01};
    alignas(64) uint64_t repeated[8];
    for (uint32_t i = 0; i < 8; ++i) repeated[i] = in.query[i % kWords];
    const __m512i query = _mm512_load_si512(repeated);
    for (size_t i = 0; i < in.words; i += 8) {
      __m512i sums = _mm512_popcnt_epi64(difference(in.packed + i, query));
      if constexpr (kWords >= 2) sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, sums, 1));
      if constexpr (kWords >= 4) sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, sums, 2));
      if constexpr (kWords >= 8) sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, sums, 4));
      const __m128i distances =
          _mm512_cvtepi64_epi16(_mm512_maskz_compress_epi64(kFirst[kWords], sums));
      __builtin_memcpy(out, &distances, 16 / kWords);
      out += 8 / kWords;
    }
  }
};

}  // namespace

std::span<const ScanMethod> avx512_scans() {
  static constexpr ScanMethod kMethods[] = {
      {"naive", "avx512", scan<OneByOne<Naive>>},
      {"divide_and_conquer", "avx512", scan<OneByOne<DivideAndConquer>>},
      {"word_parallel", "avx512", scan<WordParallel>},
      {"packed", "avx512", scan<Packed>, true},
      {"vpopcnt", "avx512", scan<Vpopcnt>},
  };
  return has_simd(SimdLevel::kAvx512) ? std::span(kMethods) : std::span<const ScanMethod>();
}

}  // namespace neardup::bench
