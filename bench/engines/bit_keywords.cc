#include "bench/engines/bit_keywords.h"

#include <algorithm>
#include <random>

#include "pipeline/base/in_threads.h"

namespace neardup::bench {

BitKeywords::BitKeywords(std::uint32_t string_bits, std::uint32_t functions, std::uint32_t bits,
                         bool sampled)
    : bits_(bits), sampled_(sampled), positions_(functions) {
  std::mt19937 random(77);
  for (std::uint32_t i = 0; i < functions; ++i) {
    for (std::uint32_t j = 0; j < bits; ++j) {
      positions_[i].push_back(sampled ? static_cast<std::uint32_t>(random() % string_bits)
                                      : i * bits + j);
    }
  }
}

std::uint32_t BitKeywords::of(const std::uint64_t* row, std::uint32_t function) const {
  const std::vector<std::uint32_t>& positions = positions_[function];
  if (!sampled_) {
    const std::uint32_t shift = positions[0] % 64;
    const std::uint64_t* word = row + positions[0] / 64;
    std::uint64_t bits = word[0] >> shift;
    if (shift + bits_ > 64) bits |= word[1] << (64 - shift);
    return static_cast<std::uint32_t>(bits & ((std::uint64_t{1} << bits_) - 1));
  }
  std::uint32_t key = 0;
  for (const std::uint32_t at : positions) {
    key = key << 1 | static_cast<std::uint32_t>(row[at / 64] >> (at % 64) & 1);
  }
  return key;
}

BitPostings::BitPostings(const BitKeywords& keywords, const std::uint64_t* rows,
                         std::uint32_t count, std::size_t words, std::uint32_t threads)
    : count_(count), values_(std::uint32_t{1} << keywords.bits()) {
  columns_.resize(view(0, 0).column_size() * keywords.functions());
  in_threads(threads, [&](std::size_t thread) {
    // Rows are read once for a few functions.
    constexpr std::uint32_t kAtOnce = 4;
    const auto groups = (keywords.functions() + kAtOnce - 1) / kAtOnce;
    std::vector<std::vector<std::uint32_t>> keys(kAtOnce, std::vector<std::uint32_t>(count));
    for (auto group = static_cast<std::uint32_t>(thread); group < groups; group += threads) {
      const std::uint32_t first = group * kAtOnce;
      const std::uint32_t end = std::min(first + kAtOnce, keywords.functions());
      for (std::uint32_t row = 0; row < count; ++row) {
        for (std::uint32_t i = first; i < end; ++i) {
          keys[i - first][row] = keywords.of(rows + row * words, i);
        }
      }
      for (std::uint32_t i = first; i < end; ++i) fill(keys[i - first], i);
    }
  });
}

void BitPostings::fill(std::span<const std::uint32_t> keys, std::uint32_t function) {
  std::uint32_t* starts = columns_.data() + function * view(0, 0).column_size();
  std::uint32_t* places = starts + values_ + 1;
  std::vector<std::uint32_t> next(values_ + 1);
  for (const std::uint32_t key : keys) ++next[key + 1];
  for (std::uint32_t value = 0; value < values_; ++value) next[value + 1] += next[value];
  std::copy(next.begin(), next.end(), starts);
  for (std::uint32_t row = 0; row < count_; ++row) places[next[keys[row]]++] = row;
}

KeywordPostings BitPostings::view(std::uint32_t from, std::uint32_t to) const {
  KeywordPostings postings{count_, to - from, values_, nullptr};
  postings.columns = columns_.data() + from * postings.column_size();
  return postings;
}

}  // namespace neardup::bench
