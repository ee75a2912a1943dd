// A blocked Bloom filter over the hashes of one column of a generation (Putze, Sanders, Singler
// 2007): one cache line a hash, and in it one bit in each of its eight words.
//
// The upper bits of a hash choose the line, so sorted hashes fill a filter from its start to its
// end, and a filter can be folded to half its size: neighbouring lines become one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "storage/generation/columns.h"
#include "storage/large_pages.h"

namespace neardup {

class Filter {
 public:
  static constexpr std::size_t kLineBytes = 64;

  // The limit that lets a hash times the number of lines fit into 64 bits.
  static constexpr std::uint64_t kMostLines = (std::uint64_t{1} << 24) - 4;

  // The number of lines for `postings` at `bits` bits each, a multiple of four.
  static std::uint64_t lines_for(std::uint64_t postings, std::uint64_t bits);

  // Makes empty filters; lines[i] is the number of lines of filter i. They share one piece of
  // memory, for its large pages; each returns its part to the system when it is folded or
  // destroyed. Requires: 0 < lines[i] <= kMostLines.
  static std::vector<Filter> make(std::span<const std::uint64_t> lines);

  void add(Hash40 hash);
  // Marks a hash that has several postings. This takes the room of the second posting, so the
  // filter does not get fuller than planned.
  void add_repeated(Hash40 hash);

  // False: the hash was never added.
  bool may_contain(Hash40 hash) const {
    const Line& line = lines_.get()[place(hash)];
    const std::uint64_t spread = hash * kSpread;
    // Half of the words suffice for nearly all look-ups of missing hashes.
    return set(line, spread, 0, kWords / 2) && set(line, spread, kWords / 2, kWords);
  }
  // False: add_repeated was never called for the hash.
  bool may_repeat(Hash40 hash) const {
    return set(lines_.get()[place(hash)], hash * kSpreadRepeated, 0, kWords);
  }
  // The line that a look-up reads.
  const void* address(Hash40 hash) const { return &lines_.get()[place(hash)]; }

  // Halves the number of lines. Requires: it is even.
  void fold();

  std::uint64_t lines() const { return count_; }
  std::span<char> bytes() { return {reinterpret_cast<char*>(lines_.get()), count_ * kLineBytes}; }

 private:
  static constexpr unsigned kWords = 8;
  static constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;
  static constexpr std::uint64_t kSpreadRepeated = 0xd1342543de82ef95;
  using Line = std::array<std::uint64_t, kWords>;
  using Lines = std::vector<Line, OnLargePages<Line>>;

  Filter(std::shared_ptr<Line> lines, std::uint64_t count)
      : count_(count), lines_(std::move(lines)) {}

  void add(Hash40 hash, std::uint64_t spread);
  std::size_t place(Hash40 hash) const { return (hash * count_) >> kHashBits; }
  static unsigned bit(std::uint64_t spread, unsigned word) {
    return static_cast<unsigned>(spread >> (58 - 6 * word)) & 63;
  }
  static bool set(const Line& line, std::uint64_t spread, unsigned begin, unsigned end) {
    std::uint64_t all = 1;
    for (unsigned i = begin; i < end; ++i) all &= line[i] >> bit(spread, i);
    return (all & 1) != 0;
  }

  std::uint64_t count_;
  std::shared_ptr<Line> lines_;  // part of the memory shared by the filters of one `make`
};

}  // namespace neardup
