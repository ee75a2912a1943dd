// Body of the scans: included once by each bits_scan_….cc, which has its own instruction flags.

#include "bench/bits_scan.h"
#include "gpu/hd/bit_count.h"

namespace neardup::bench {
namespace {

using std::size_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;

// hd::count_fields with its loop written out, without which GCC 12 does not vectorise the loop
// around it.
template <uint32_t kWidth>
inline uint64_t count_fields(uint64_t word) {
  if constexpr (kWidth == 1)
    return word;
  else
    return hd::sum_neighbours(count_fields<kWidth / 2>(word), kWidth / 2);
}

// A method counts one word at a time, or the fields of a word one by one.
struct Naive {
  template <uint32_t kBits>
  static uint64_t count(uint64_t field) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < kBits; ++i) count += field >> i & 1;
    return count;
  }
};

struct DivideAndConquer {
  template <uint32_t kBits>
  static uint64_t count(uint64_t field) {
    if constexpr (kBits < 64) return count_fields<kBits>(field);
    const uint64_t halves = count_fields<32>(field);
    return (halves & 0xffffffff) + (halves >> 32);
  }
};

struct Popcnt {
  template <uint32_t kBits>
  static uint64_t count(uint64_t field) {
    return hd::count_hardware(field);
  }
};

// Every sketch by itself.
template <class Method>
struct OneByOne {
  template <uint32_t kLength>
  static void small(ScanInput in, uint64_t* out) {
    constexpr uint64_t kMask = (uint64_t{1} << kLength) - 1;
    const uint64_t query = *in.query;
    for (size_t i = 0; i < in.words; ++i) {
      const uint64_t word = in.packed[i] ^ query;
      uint64_t counts = 0;
      for (uint32_t at = 0; at < 64; at += kLength) {
        counts |= Method::template count<kLength>(word >> at & kMask) << at;
      }
      out[i] = counts;
    }
  }
  template <uint32_t kWords>
  static void large(ScanInput in, uint16_t* out) {
    for (size_t i = 0; i < in.words; i += kWords) {
      uint64_t count = 0;
      for (uint32_t j = 0; j < kWords; ++j)
        count += Method::template count<64>(in.packed[i + j] ^ in.query[j]);
      *out++ = static_cast<uint16_t>(count);
    }
  }
};

// Counts all sketches of a word at once. Of a long sketch, counts all bytes of a word at once, and
// adds up the words before the bytes.
struct WordParallel {
  template <uint32_t kLength>
  static void small(ScanInput in, uint64_t* out) {
    const uint64_t query = *in.query;
    for (size_t i = 0; i < in.words; ++i) {
      out[i] = count_fields<kLength>(in.packed[i] ^ query);
    }
  }
  template <uint32_t kWords>
  static void large(ScanInput in, uint16_t* out) {
    for (size_t i = 0; i < in.words; i += kWords) {
      uint64_t bytes = 0;
      for (uint32_t j = 0; j < kWords; ++j)
        bytes += count_fields<8>(in.packed[i + j] ^ in.query[j]);
      const uint64_t sums = hd::sum_neighbours(hd::sum_neighbours(bytes, 8), 16);
      *out++ = static_cast<uint16_t>(sums + (sums >> 32));
    }
  }
};

// hd::pack_counts with its loops written out.
template <uint32_t kField, uint32_t kWords>
inline uint64_t merge_counts(uint64_t* words) {
  if constexpr (kWords == 1) {
    return words[0];
  } else {
    for (uint32_t i = 0; i < kWords / 2; ++i)
      words[i] = hd::merge_neighbours(words[2 * i], words[2 * i + 1], kField);
    return merge_counts<2 * kField, kWords / 2>(words);
  }
}

// As word-parallel, but trees whose fields are half empty continue together: those of 2 to 8 words
// of small sketches, and those of 4 long ones.
struct Packed {
  template <uint32_t kLength>
  static void small(ScanInput in, uint64_t* out) {
    constexpr uint32_t kField = kLength == 8 ? 4 : 8;
    constexpr uint32_t kMerged = hd::words_of_packed_counts(kLength);
    constexpr uint32_t kLanes = 8;
    const uint64_t query = *in.query;
    for (size_t i = 0; i < in.words; i += kLanes * kMerged) {
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        uint64_t counts[kMerged];
        for (uint32_t j = 0; j < kMerged; ++j)
          counts[j] = count_fields<kField>(in.packed[i + lane + j * kLanes] ^ query);
        *out++ = merge_counts<kField, kMerged>(counts);
      }
    }
  }
  template <uint32_t kWords>
  static void large(ScanInput in, uint16_t* out) {
    uint64_t* const words = reinterpret_cast<uint64_t*>(out);
    if constexpr (kWords == 1) return small<64>(in, words);
    constexpr uint32_t kMerged = 4;
    for (size_t i = 0; i < in.words / kWords / kMerged; ++i) {
      const uint64_t* const packed = in.packed + i * kMerged * kWords;
      uint64_t counts[kMerged] = {};
      for (uint32_t k = 0; k < kMerged; ++k) {
        for (uint32_t j = 0; j < kWords; ++j)
          counts[k] += count_fields<8>(packed[k * kWords + j] ^ in.query[j]);
        counts[k] = hd::sum_neighbours(counts[k], 8);
      }
      words[i] = merge_counts<16, kMerged>(counts);
    }
  }
};

template <class Method>
void scan(ScanInput in, uint64_t* out) {
  uint16_t* const distances = reinterpret_cast<uint16_t*>(out);
  switch (in.length) {
    case 8:
      return Method::template small<8>(in, out);
    case 16:
      return Method::template small<16>(in, out);
    case 32:
      return Method::template small<32>(in, out);
    case 64:
      return Method::template large<1>(in, distances);
    case 128:
      return Method::template large<2>(in, distances);
    case 256:
      return Method::template large<4>(in, distances);
    case 512:
      return Method::template large<8>(in, distances);
    case 1024:
      return Method::template large<16>(in, distances);
  }
}

}  // namespace
}  // namespace neardup::bench
