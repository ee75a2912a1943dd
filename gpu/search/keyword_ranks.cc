#include "gpu/search/keyword_ranks.h"

#include <bit>
#include <cstddef>

namespace neardup {
namespace {

std::uint32_t ones(std::uint64_t word) { return static_cast<std::uint32_t>(std::popcount(word)); }

}  // namespace

KeywordRanks::KeywordRanks() : pages_(kPages), below_(kPages + 1) {}

KeywordRanks::Page& KeywordRanks::page(std::uint32_t number) {
  if (!pages_[number]) pages_[number] = std::make_unique<Page>();
  return *pages_[number];
}

void KeywordRanks::insert(std::uint32_t keyword) {
  const std::uint32_t bit = keyword % kPageBits;
  page(keyword / kPageBits).words[bit / kWordBits] |= std::uint64_t{1} << (bit % kWordBits);
}

void KeywordRanks::insert(const KeywordRanks& others) {
  for (std::uint32_t i = 0; i < kPages; ++i) {
    if (!others.pages_[i]) continue;
    Page& own = page(i);
    const auto& words = others.pages_[i]->words;
    for (std::size_t w = 0; w < words.size(); ++w) own.words[w] |= words[w];
  }
}

void KeywordRanks::number() {
  for (std::uint32_t i = 0; i < kPages; ++i) {
    std::uint32_t count = 0;
    if (Page* const page = pages_[i].get()) {
      for (std::size_t w = 0; w < page->words.size(); ++w) {
        page->below[w] = count;
        count += ones(page->words[w]);
      }
    }
    below_[i + 1] = below_[i] + count;
  }
}

std::uint32_t KeywordRanks::below(std::uint64_t keyword) const {
  const std::uint64_t number = keyword / kPageBits;
  if (number == kPages) return size();
  const Page* const page = pages_[number].get();
  if (page == nullptr) return below_[number];
  const std::uint32_t bit = keyword % kPageBits;
  const std::uint64_t before = (std::uint64_t{1} << (bit % kWordBits)) - 1;
  const std::uint32_t word = bit / kWordBits;
  return below_[number] + page->below[word] + ones(page->words[word] & before);
}

}  // namespace neardup
