#include "pipeline/items/edit_distance.h"

#include <algorithm>

#include "pipeline/base/utf8.h"

namespace neardup {

EditPattern::EditPattern(std::string_view pattern)
    : size_(static_cast<std::uint32_t>(count_code_points(pattern))),
      blocks_((size_ + kBits - 1) / kBits),
      ascii_(std::size_t{kTable} * blocks_),
      none_(blocks_),
      columns_(blocks_) {
  const char* at = pattern.data();
  for (std::uint32_t i = 0; i < size_; ++i) {
    const char32_t c = next_code_point(at);
    std::uint64_t* words = nullptr;
    if (c < kTable) {
      words = ascii_.data() + std::size_t{c} * blocks_;
    } else {
      auto found = std::ranges::find(others_, c, &decltype(others_)::value_type::first);
      if (found == others_.end()) found = others_.insert(found, {c, none_});
      words = found->second.data();
    }
    words[i / kBits] |= std::uint64_t{1} << (i % kBits);
  }
  std::ranges::sort(others_);
}

const std::uint64_t* EditPattern::places(char32_t c) const {
  if (c < kTable) return ascii_.data() + std::size_t{c} * blocks_;
  const auto found =
      std::ranges::lower_bound(others_, c, {}, &decltype(others_)::value_type::first);
  return found == others_.end() || found->first != c ? none_.data() : found->second.data();
}

std::uint32_t EditPattern::distance(std::string_view text, std::uint32_t size, std::uint32_t most) {
  if (size_ == 0) return size;
  return blocks_ == 1 ? distance_of_one_block(text, size, most)
                      : distance_of_blocks(text, size, most);
}

// Each further code point lowers the distance by one at most.
std::uint32_t EditPattern::distance_of_one_block(std::string_view text, std::uint32_t size,
                                                 std::uint32_t most) {
  const std::uint64_t last = std::uint64_t{1} << (size_ - 1);
  Column column;
  std::uint32_t score = size_;
  const char* at = text.data();
  for (std::uint32_t rest = size; rest-- > 0;) {
    const std::uint64_t equal = *places(next_code_point(at));
    const std::uint64_t vertical = equal | column.down;
    const std::uint64_t diagonal = (((equal & column.up) + column.up) ^ column.up) | equal;
    std::uint64_t plus = column.down | ~(diagonal | column.up);
    std::uint64_t minus = column.up & diagonal;
    score += (plus & last) != 0 ? 1 : 0;
    score -= (minus & last) != 0 ? 1 : 0;
    plus = plus << 1 | 1;
    minus <<= 1;
    column = {minus | ~(vertical | plus), plus & vertical};
    if (score > std::uint64_t{most} + rest) return most + 1;
  }
  return score;
}

std::uint32_t EditPattern::distance_of_blocks(std::string_view text, std::uint32_t size,
                                              std::uint32_t most) {
  const std::uint64_t last = std::uint64_t{1} << ((size_ - 1) % kBits);
  std::ranges::fill(columns_, Column{});
  std::uint32_t score = size_;
  const char* at = text.data();
  for (std::uint32_t rest = size; rest-- > 0;) {
    const std::uint64_t* const words = places(next_code_point(at));
    std::uint64_t plus_in = 1;  // the first row grows by one with each code point
    std::uint64_t minus_in = 0;
    for (std::uint32_t block = 0; block < blocks_; ++block) {
      Column& column = columns_[block];
      const std::uint64_t vertical = words[block] | column.down;
      const std::uint64_t equal = words[block] | minus_in;
      const std::uint64_t diagonal = (((equal & column.up) + column.up) ^ column.up) | equal;
      std::uint64_t plus = column.down | ~(diagonal | column.up);
      std::uint64_t minus = column.up & diagonal;
      const std::uint64_t out = block + 1 == blocks_ ? last : std::uint64_t{1} << (kBits - 1);
      const std::uint64_t plus_out = (plus & out) != 0 ? 1 : 0;
      const std::uint64_t minus_out = (minus & out) != 0 ? 1 : 0;
      plus = plus << 1 | plus_in;
      minus = minus << 1 | minus_in;
      column = {minus | ~(vertical | plus), plus & vertical};
      plus_in = plus_out;
      minus_in = minus_out;
    }
    score = static_cast<std::uint32_t>(score + plus_in - minus_in);
    if (score > std::uint64_t{most} + rest) return most + 1;
  }
  return score;
}

}  // namespace neardup
