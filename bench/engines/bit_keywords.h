// Keywords of packed strings of bits, and their postings, for benchmarks of hashing in Hamming
// space: any number of bits a keyword, while a segment of a state has 16.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/model/keyword_postings.h"
#include "storage/large_pages.h"

namespace neardup::bench {

class BitKeywords {
 public:
  // `functions` keywords of `bits` bits each. Sampled: bits at random positions, as the paper of
  // error weighted hashing has them; else neighbouring bits. Requires: the string has as many.
  BitKeywords(std::uint32_t string_bits, std::uint32_t functions, std::uint32_t bits, bool sampled);

  std::uint32_t functions() const { return static_cast<std::uint32_t>(positions_.size()); }
  std::uint32_t bits() const { return bits_; }
  // The bits of a keyword.
  std::span<const std::uint32_t> positions(std::uint32_t function) const {
    return positions_[function];
  }
  std::uint32_t of(const std::uint64_t* row, std::uint32_t function) const;

 private:
  std::uint32_t bits_;
  bool sampled_;
  std::vector<std::vector<std::uint32_t>> positions_;  // by function: of its bits
};

class BitPostings {
 public:
  // Of `count` rows of `words` words each, by `threads` threads.
  BitPostings(const BitKeywords& keywords, const std::uint64_t* rows, std::uint32_t count,
              std::size_t words, std::uint32_t threads);

  // Of the functions in [from, to).
  KeywordPostings view(std::uint32_t from, std::uint32_t to) const;
  std::uint64_t bytes() const { return columns_.size() * sizeof(std::uint32_t); }

 private:
  void fill(std::span<const std::uint32_t> keys, std::uint32_t function);

  std::uint32_t count_;
  std::uint32_t values_;
  std::vector<std::uint32_t, OnLargePages<std::uint32_t>> columns_;
};

}  // namespace neardup::bench
