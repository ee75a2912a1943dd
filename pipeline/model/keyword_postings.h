// Postings of the keywords of many documents, as match-counts read them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace neardup {

// A keyword of a sketch has 16 bits. It is told apart by its position and its value.
inline constexpr std::uint32_t kKeywordBits = 16;
inline constexpr std::uint32_t kKeywordValues = 1 << kKeywordBits;
inline constexpr std::uint32_t kMostKeywords = 255;  // of a document: match-counts have 8 bits

// Not owned.
struct KeywordPostings {
  std::uint32_t documents = 0;
  std::uint32_t keywords = 0;             // of each document
  std::uint32_t values = kKeywordValues;  // of a keyword
  // For each position values + 1 numbers, then `documents` places: the places of value v
  // are those from the v-th number on, up to the next number, ascending.
  const std::uint32_t* columns = nullptr;

  std::size_t column_size() const { return values + 1 + std::size_t{documents}; }
  const std::uint32_t* starts(std::uint32_t position) const {
    return columns + position * column_size();
  }
  const std::uint32_t* places(std::uint32_t position) const {
    return starts(position) + values + 1;
  }
};

}  // namespace neardup
