#include "gpu/cpu/element_set.h"

#include <algorithm>
#include <bit>

namespace neardup {
namespace {

constexpr std::ptrdiff_t kMostInserted = 64;  // insertion is quadratic

void sort_bucket(std::uint64_t* first, std::uint64_t* last) {
  if (last - first > kMostInserted) return std::sort(first, last);
  for (std::uint64_t* next = first; next != last; ++next) {
    const std::uint64_t x = *next;
    std::uint64_t* at = next;
    for (; at != first && at[-1] > x; --at) *at = at[-1];
    *at = x;
  }
}

}  // namespace

// Bucket sort: elements are distributed evenly over [0, 2^61 − 1), so their top bits assign about
// one element to each bucket, and the buckets are in ascending order.
std::vector<std::uint64_t> element_set(std::span<const std::uint64_t> elements) {
  const auto bits = static_cast<int>(std::bit_width(elements.size()));
  const int shift = 61 - bits;
  const std::size_t buckets = std::size_t{1} << bits;
  std::vector<std::uint32_t> ends(buckets +
                                  1);  // ends[b]: where bucket b starts, then where it ends
  for (const std::uint64_t x : elements) ++ends[(x >> shift) + 1];
  for (std::size_t b = 0; b < buckets; ++b) ends[b + 1] += ends[b];
  std::vector<std::uint64_t> set(elements.size());
  for (const std::uint64_t x : elements) set[ends[x >> shift]++] = x;
  std::uint32_t start = 0;
  for (std::size_t b = 0; b < buckets; ++b) {
    sort_bucket(set.data() + start, set.data() + ends[b]);
    start = ends[b];
  }
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

}  // namespace neardup
