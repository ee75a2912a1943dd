// A set of 32-bit keywords, each with its rank, so that tables by keyword need room for the
// keywords that are there only.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace neardup {

class KeywordRanks {
 public:
  KeywordRanks();

  void insert(std::uint32_t keyword);
  void insert(const KeywordRanks& others);
  // To be called after the last insertion, before the functions below.
  void number();

  std::uint32_t size() const { return below_.back(); }
  // The number of keywords of the set that are less than `keyword`, which may be 2^32.
  std::uint32_t below(std::uint64_t keyword) const;

 private:
  static constexpr std::uint32_t kWordBits = 64;
  static constexpr std::uint32_t kPageBits = 1 << 16;
  static constexpr std::uint32_t kPages = 1 << 16;

  // A bit for each of kPageBits neighbouring keywords.
  struct Page {
    std::array<std::uint64_t, kPageBits / kWordBits> words{};
    std::array<std::uint32_t, kPageBits / kWordBits> below{};  // keywords of the page before a word
  };

  Page& page(std::uint32_t number);

  std::vector<std::unique_ptr<Page>> pages_;  // null: no keyword of the page
  std::vector<std::uint32_t> below_;          // keywords before each page, and all
};

}  // namespace neardup
