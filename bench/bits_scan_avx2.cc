#include <immintrin.h>

#include "bench/bits_scan_impl.h"
#include "gpu/cpu/simd_level.h"

namespace neardup::bench {
namespace {

// Counts of all bytes by two look-ups of nibbles (Muła, Kurz, Lemire 2018).
inline __m256i byte_counts(__m256i x) {
  const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                         0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i low = _mm256_set1_epi8(15);
  return _mm256_add_epi8(
      _mm256_shuffle_epi8(table, _mm256_and_si256(x, low)),
      _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(x, 4), low)));
}

inline __m256i difference(const uint64_t* packed, __m256i query) {
  return _mm256_xor_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(packed)), query);
}

struct NibbleTable {
  template <uint32_t kLength>
  static void small(ScanInput in, uint64_t* out) {
    const __m256i query = _mm256_set1_epi64x(static_cast<long long>(*in.query));
    for (size_t i = 0; i < in.words; i += 4) {
      __m256i counts = byte_counts(difference(in.packed + i, query));
      if constexpr (kLength >= 16) counts = _mm256_maddubs_epi16(counts, _mm256_set1_epi8(1));
      if constexpr (kLength == 32) counts = _mm256_madd_epi16(counts, _mm256_set1_epi16(1));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), counts);
    }
  }
  template <uint32_t kWords>
  static void large(ScanInput in, uint16_t* out) {
    constexpr uint32_t kVectors = kWords < 4 ? 1 : kWords / 4;
    __m256i query[kVectors];
    for (uint32_t v = 0; v < kVectors; ++v) {
      const auto word = [&](uint32_t i) {
        return static_cast<long long>(in.query[(4 * v + i) % kWords]);
      };
      query[v] = _mm256_setr_epi64x(word(0), word(1), word(2), word(3));
    }
    for (size_t i = 0; i < in.words; i += 4 * kVectors) {
      __m256i bytes = _mm256_setzero_si256();
      for (uint32_t v = 0; v < kVectors; ++v) {
        bytes = _mm256_add_epi8(bytes, byte_counts(difference(in.packed + i + 4 * v, query[v])));
      }
      alignas(32) uint64_t sums[4];
      _mm256_store_si256(reinterpret_cast<__m256i*>(sums),
                         _mm256_sad_epu8(bytes, _mm256_setzero_si256()));
      constexpr uint32_t kLanes = kWords < 4 ? kWords : 4;  // of one sketch
      for (uint32_t lane = 0; lane < 4; lane += kLanes) {
        uint64_t sum = 0;
        for (uint32_t j = 0; j < kLanes; ++j) sum += sums[lane + j];
        *out++ = static_cast<uint16_t>(sum);
      }
    }
  }
};

}  // namespace

std::span<const ScanMethod> avx2_scans() {
  static constexpr ScanMethod kMethods[] = {
      {"naive", "avx2", scan<OneByOne<Naive>>},
      {"divide_and_conquer", "avx2", scan<OneByOne<DivideAndConquer>>},
      {"word_parallel", "avx2", scan<WordParallel>},
      {"packed", "avx2", scan<Packed>, true},
      {"nibble_table", "avx2", scan<NibbleTable>},
  };
  return has_simd(SimdLevel::kAvx2) ? std::span(kMethods) : std::span<const ScanMethod>();
}

}  // namespace neardup::bench
