// Body of the kernels: included by kernels_portable.cc, kernels_avx2.cc and kernels_avx512.cc, each
// compiled with its own instruction flags. Everything has internal linkage, and nothing of the
// standard library that could leave a shared copy behind is called.

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "gpu/cpu/kernels.h"
#include "gpu/hd/bit_count.h"
#include "gpu/hd/fast_similarity.h"
#include "gpu/hd/minhash.h"
#include "gpu/hd/shingle.h"

namespace neardup {
namespace {

using std::size_t;
using std::uint32_t;
using std::uint64_t;

// Bit i is set where text[i] is a space, i < 64.
inline uint64_t space_bits(const char* text) {
#if defined(__AVX512BW__)
  return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(text), _mm512_set1_epi8(' '));
#elif defined(__AVX2__)
  const __m256i space = _mm256_set1_epi8(' ');
  const auto half = [&](const char* at) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    return static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, space)));
  };
  return half(text) | uint64_t{half(text + 32)} << 32;
#else
  uint64_t bits = 0;
  for (unsigned i = 0; i < 64; ++i) bits |= uint64_t{text[i] == ' '} << i;
  return bits;
#endif
}

size_t word_values(const hd::TokenKeys& keys, const char* text, size_t length, uint64_t* values) {
  size_t count = 0;
  size_t start = 0;
  for (size_t block = 0; block < length; block += 64) {
    uint64_t ends = space_bits(text + block);
    if (length - block < 64) ends &= (uint64_t{1} << (length - block)) - 1;
    for (; ends != 0; ends &= ends - 1) {
      const size_t end = block + static_cast<unsigned>(__builtin_ctzll(ends));
      values[count++] = hd::token_value(keys, text + start, end - start);
      start = end + 1;
    }
  }
  values[count++] = hd::token_value(keys, text + start, length - start);
  return count;
}

inline size_t code_point_length(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

size_t char_values(const hd::TokenKeys& keys, const char* text, size_t length, uint64_t* values) {
  size_t count = 0;
  for (size_t at = 0; at < length;) {
    const size_t bytes = code_point_length(text[at]);
    values[count++] = hd::token_value(keys, text + at, bytes);
    at += bytes;
  }
  return count;
}

size_t elements(const ShingleKeys& keys, uint32_t w, const uint64_t* values, size_t count,
                uint64_t* out) {
  const size_t first = count < w ? count : w;
  uint64_t shingle = 0;
  for (size_t i = 0; i < first; ++i)
    shingle = hd::roll(shingle, values[i], 0, keys.base, keys.base_to_w);
  out[0] = shingle;
  for (size_t i = first; i < count; ++i) {
    shingle = hd::roll(shingle, values[i], values[i - w], keys.base, keys.base_to_w);
    out[i - w + 1] = shingle;
  }
  return count - first + 1;
}

constexpr size_t kBlock = 256;  // elements hashed at once: 2 KiB, well inside the first-level cache

inline bool any_empty(const uint64_t* winners, uint32_t bins) {
  uint64_t empty = 0;
  for (uint32_t i = 0; i < bins; ++i) empty |= uint64_t{winners[i] == hd::kEmptyBin};
  return empty != 0;
}

inline void throw_round(uint64_t round_key, uint32_t round, uint32_t bins, ElementSpan set,
                        uint64_t* winners) {
  alignas(64) uint64_t hashes[kBlock];
  for (size_t begin = 0; begin < set.size; begin += kBlock) {
    const size_t size = set.size - begin < kBlock ? set.size - begin : kBlock;
    for (size_t i = 0; i < size; ++i) hashes[i] = hd::round_hash(set.data[begin + i], round_key);
    for (size_t i = 0; i < size; ++i) {
      uint64_t& winner = winners[hd::bin_of(hashes[i], bins)];
      const uint64_t value = hd::bin_value(hashes[i], round);
      winner = value < winner ? value : winner;
    }
  }
}

inline uint64_t smallest_of_round(uint64_t round_key, uint32_t round, ElementSpan set) {
  uint64_t smallest = hd::kEmptyBin;
  for (size_t i = 0; i < set.size; ++i) {
    const uint64_t value = hd::bin_value(hd::round_hash(set.data[i], round_key), round);
    smallest = value < smallest ? value : smallest;
  }
  return smallest;
}

uint64_t fast_similarity(const uint64_t* round_keys, uint32_t bins, ElementSpan set,
                         uint64_t* winners) {
  for (uint32_t i = 0; i < bins; ++i) winners[i] = hd::kEmptyBin;
  uint64_t evaluations = 0;
  bool empty = true;
  for (uint32_t round = 0; round < bins && empty; ++round) {
    throw_round(round_keys[round], round, bins, set, winners);
    evaluations += set.size;
    empty = any_empty(winners, bins);
  }
  for (uint32_t round = bins; round < 2 * bins && empty; ++round) {
    if (winners[round - bins] != hd::kEmptyBin) continue;
    winners[round - bins] = smallest_of_round(round_keys[round], round, set);
    evaluations += set.size;
  }
  return evaluations;
}

// Winning values of k functions, blocked so that the elements stay in the first-level cache.
template <class Value>
inline void minima(uint32_t k, ElementSpan set, uint64_t* winners, Value value) {
  for (uint32_t j = 0; j < k; ++j) winners[j] = ~uint64_t{0};
  for (size_t begin = 0; begin < set.size; begin += kBlock) {
    const size_t end = set.size - begin < kBlock ? set.size : begin + kBlock;
    for (uint32_t j = 0; j < k; ++j) {
      uint64_t smallest = winners[j];
      for (size_t i = begin; i < end; ++i) {
        const uint64_t hash = value(j, set.data[i]);
        smallest = hash < smallest ? hash : smallest;
      }
      winners[j] = smallest;
    }
  }
}

template <class Function>
inline void minima_mod(const Function* functions, uint32_t k, uint64_t universe, ElementSpan set,
                       uint64_t* winners) {
  if (universe == 0) {
    minima(k, set, winners, [=](uint32_t j, uint64_t x) { return functions[j].value(x); });
  } else {
    minima(k, set, winners,
           [=](uint32_t j, uint64_t x) { return functions[j].value(x) % universe; });
  }
}

void two_universal(const hd::TwoUniversal* functions, uint32_t k, uint64_t universe,
                   ElementSpan set, uint64_t* winners) {
  minima_mod(functions, k, universe, set, winners);
}

void four_universal(const hd::FourUniversal* functions, uint32_t k, uint64_t universe,
                    ElementSpan set, uint64_t* winners) {
  minima_mod(functions, k, universe, set, winners);
}

void multiply_shift(const hd::MultiplyShift* functions, uint32_t k, ElementSpan set,
                    uint64_t* winners) {
  minima(k, set, winners, [=](uint32_t j, uint64_t x) { return functions[j].value(x); });
}

void permutation(const uint32_t* matrix, uint32_t k, uint64_t universe, ElementSpan set,
                 uint64_t* winners) {
  minima(k, set, winners,
         [=](uint32_t j, uint64_t x) { return hd::Permutation{matrix + j * universe}.value(x); });
}

uint32_t equal_fields(const uint64_t* a, const uint64_t* b, size_t words, uint32_t bits) {
  uint32_t equal = 0;
  for (size_t i = 0; i < words; ++i) equal += hd::zero_fields(a[i] ^ b[i], bits);
  return equal;
}

template <class Count>
inline uint32_t hamming_word_by_word(const uint64_t* a, const uint64_t* b, size_t words,
                                     Count count) {
  uint32_t sum = 0;
  for (size_t i = 0; i < words; ++i) sum += count(a[i] ^ b[i]);
  return sum;
}

uint32_t hamming_hardware(const uint64_t* a, const uint64_t* b, size_t words) {
  return hamming_word_by_word(a, b, words, [](uint64_t x) { return hd::count_hardware(x); });
}

uint32_t hamming_divide_and_conquer(const uint64_t* a, const uint64_t* b, size_t words) {
  return hamming_word_by_word(a, b, words,
                              [](uint64_t x) { return hd::count_divide_and_conquer(x); });
}

uint32_t hamming_naive(const uint64_t* a, const uint64_t* b, size_t words) {
  return hamming_word_by_word(a, b, words, [](uint64_t x) { return hd::count_naive(x); });
}

// Counts of all bytes of a word at once; the bytes of up to 31 words are added before they are
// summed.
uint32_t hamming_word_parallel(const uint64_t* a, const uint64_t* b, size_t words) {
  uint32_t count = 0;
  for (size_t begin = 0; begin < words; begin += 31) {
    const size_t end = words - begin < 31 ? words : begin + 31;
    uint64_t bytes = 0;
    for (size_t i = begin; i < end; ++i) bytes += hd::count_fields(a[i] ^ b[i], 8);
    uint64_t sum = hd::sum_neighbours(bytes, 8);
    sum = hd::sum_neighbours(sum, 16);
    count += static_cast<uint32_t>((sum & 0xffffffff) + (sum >> 32));
  }
  return count;
}

constexpr Kernels kLevelKernels = {
    word_values,      char_values,           elements,
    fast_similarity,  two_universal,         four_universal,
    multiply_shift,   permutation,           equal_fields,
    hamming_hardware, hamming_word_parallel, hamming_divide_and_conquer,
    hamming_naive,
};

}  // namespace
}  // namespace neardup
