// The loops of the CPU backend over gpu/hd, compiled once for each SIMD level from impl.h. Every
// level gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/keys.h"
#include "gpu/options.h"

namespace neardup {

// The shingle elements of one document.
struct ElementSpan {
  const std::uint64_t* data;
  std::size_t size;
};

// A row of a scan that is near the query.
struct NearRow {
  std::uint32_t row;
  std::uint32_t distance;  // differing bits
};

// The most words of a row that is stored as bit planes, and room for the planes of one slice.
inline constexpr std::size_t kMostSlicedWords = 16;
inline constexpr std::size_t kMostPlanes = 64 * kMostSlicedWords + 25;
inline constexpr std::size_t kPlanesAtOnce = 16;

// The planes that a query counts: those of its set bits, and some of zeros.
struct PlanesOfQuery {
  const std::uint16_t* planes;  // not owned
  std::size_t size;             // a multiple of kPlanesAtOnce
  std::uint32_t ones;           // set bits of the query
};

class DistinctElements;

struct Kernels {
  // Values of the tokens (split at 0x20) or code points of `length` bytes of normalised text;
  // returns how many. Requires: length > 0; room for length values; kTextPadding bytes may be read
  // past the end.
  std::size_t (*word_values)(const ShingleKeys&, const char* text, std::size_t length,
                             std::uint64_t* values);
  std::size_t (*char_values)(const ShingleKeys&, const char* text, std::size_t length,
                             std::uint64_t* values);

  // The shingle elements of `count` values; returns how many: max(1, count − w + 1).
  // Requires: count > 0; `elements` has room for count and is not `values`.
  std::size_t (*elements)(const ShingleKeys&, std::uint32_t w, const std::uint64_t* values,
                          std::size_t count, std::uint64_t* elements);

  // Winning values of the `bins` bins; returns how many hashes the paper's algorithm evaluates.
  // Requires: set.size > 0.
  std::uint64_t (*fast_similarity)(const std::uint64_t* round_keys, std::uint32_t bins,
                                   ElementSpan set, DistinctElements& distinct,
                                   std::uint64_t* winners);

  // Winning values of k hash functions. Requires: set.size > 0; elements already in the universe.
  void (*two_universal)(const hd::TwoUniversal*, std::uint32_t k, std::uint64_t universe,
                        ElementSpan set, std::uint64_t* winners);
  void (*four_universal)(const hd::FourUniversal*, std::uint32_t k, std::uint64_t universe,
                         ElementSpan set, std::uint64_t* winners);
  void (*multiply_shift)(const hd::MultiplyShift*, std::uint32_t k, ElementSpan set,
                         std::uint64_t* winners);
  // `matrix`: hd::Permutations. Requires: the set is not empty.
  void (*permutation)(const std::uint32_t* matrix, std::uint32_t k, ElementSpan set,
                      std::uint64_t* winners);

  // Packs the low `bits` bits of mix64(winner) of every slot into a row; with `as_they_are`, those
  // of the winner itself.
  void (*pack)(const std::uint64_t* winners, std::uint32_t slots, std::uint32_t bits,
               bool as_they_are, std::uint64_t* row);

  // The packed 1-bit sketch of a packed row of `words` words.
  void (*one_bit)(const std::uint64_t* row, std::size_t words, std::uint32_t bits,
                  std::uint64_t* one_bit);

  // The keys of the buckets of a packed row: hd::band_key of each band.
  void (*band_keys)(const std::uint64_t* row, std::uint32_t bits, std::uint32_t bands,
                    std::uint32_t rows, const std::uint64_t* keys, std::uint64_t namespace_hash,
                    std::uint64_t* buckets);

  // Number of equal b-bit fields of two packed rows, the unused fields at the end included.
  std::uint32_t (*equal_fields)(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
                                std::uint32_t bits);

  // Number of differing bits of two packed rows, by each method.
  using Hamming = std::uint32_t (*)(const std::uint64_t* a, const std::uint64_t* b,
                                    std::size_t words);
  Hamming hamming_hardware;
  Hamming hamming_word_parallel;
  Hamming hamming_divide_and_conquer;
  Hamming hamming_naive;
  Hamming hamming(BitCount method) const;

  // The rows among `count` packed rows of `words` words each that differ from the query in fewer
  // than `limit` bits, ascending; returns how many. Requires: `near` has room for `count`.
  std::size_t (*near_rows)(const std::uint64_t* rows, std::size_t count, std::size_t words,
                           const std::uint64_t* query, std::uint32_t limit, NearRow* near);

  // Rows of a slice: a multiple of 64.
  std::size_t rows_of_slice;

  // Stores a slice as bit planes of rows_of_slice bits each: bit i of plane j is bit j of row i.
  // Plane 64 * words is zero. Requires: words <= kMostSlicedWords; room for kMostPlanes planes.
  void (*slice_rows)(const std::uint64_t* rows, std::size_t words, std::uint64_t* planes);

  // The same rows as near_rows finds, of a slice, as rows_of_slice bits: bit i is that of row i.
  void (*near_slice)(const std::uint64_t* planes, std::size_t words, const PlanesOfQuery& query,
                     std::uint32_t limit, std::uint64_t* near);
};

// Requires: a level from resolve_simd.
const Kernels& kernels(SimdLevel level);

}  // namespace neardup
