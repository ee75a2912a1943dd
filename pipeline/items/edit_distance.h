// The edit distance (Levenshtein) in code points, 64 cells of a column at a time: Myers 1999, with
// blocks as by Hyyrö 2003.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace neardup {

// One string, to be compared with many. One thread.
class EditPattern {
 public:
  // Requires: valid UTF-8.
  explicit EditPattern(std::string_view pattern);

  std::uint32_t size() const { return size_; }  // code points

  // The distance to a text of `size` code points, or any number above `most` where it is greater.
  // Requires: valid UTF-8.
  std::uint32_t distance(std::string_view text, std::uint32_t size, std::uint32_t most);

 private:
  static constexpr std::uint32_t kBits = 64;
  static constexpr std::uint32_t kTable = 128;  // ASCII

  struct Column {
    std::uint64_t up = ~std::uint64_t{0};  // cells that are one more than the cell above
    std::uint64_t down = 0;                // … one less
  };

  // Where a code point stands in the pattern, a bit each.
  const std::uint64_t* places(char32_t c) const;
  std::uint32_t distance_of_one_block(std::string_view text, std::uint32_t size,
                                      std::uint32_t most);
  std::uint32_t distance_of_blocks(std::string_view text, std::uint32_t size, std::uint32_t most);

  std::uint32_t size_ = 0;
  std::uint32_t blocks_ = 0;
  std::vector<std::uint64_t> ascii_;  // `blocks_` words each
  std::vector<std::pair<char32_t, std::vector<std::uint64_t>>> others_;
  std::vector<std::uint64_t> none_;
  std::vector<Column> columns_;  // by block
};

}  // namespace neardup
