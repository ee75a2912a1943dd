#include "storage/generation/filter.h"

#include <algorithm>
#include <numeric>

namespace neardup {

std::uint64_t Filter::lines_for(std::uint64_t postings, std::uint64_t bits) {
  constexpr std::uint64_t kBits = 8 * kLineBytes;
  const std::uint64_t lines = (postings * bits + kBits - 1) / kBits;
  return std::clamp<std::uint64_t>((lines + 3) / 4 * 4, 4, kMostLines);
}

std::vector<Filter> Filter::make(std::span<const std::uint64_t> lines) {
  const auto memory =
      std::make_shared<Lines>(std::accumulate(lines.begin(), lines.end(), std::uint64_t{0}));
  std::vector<Filter> made;
  std::uint64_t begin = 0;
  for (const std::uint64_t count : lines) {
    const auto give_back = [memory, count](Line* first) {
      OnLargePages<Line>::give_back(first, count, memory->size());
    };
    made.push_back(Filter({memory->data() + begin, give_back}, count));
    begin += count;
  }
  return made;
}

void Filter::add(Hash40 hash) { add(hash, hash * kSpread); }

void Filter::add_repeated(Hash40 hash) { add(hash, hash * kSpreadRepeated); }

void Filter::add(Hash40 hash, std::uint64_t spread) {
  Line& line = lines_.get()[place(hash)];
  for (unsigned i = 0; i < kWords; ++i) line[i] |= std::uint64_t{1} << bit(spread, i);
}

void Filter::fold() {
  const auto memory = std::make_shared<Lines>(count_ / 2);
  Lines& half = *memory;
  for (std::uint64_t at = 0; at < count_ / 2; ++at) {
    for (unsigned i = 0; i < kWords; ++i) {
      half[at][i] = lines_.get()[2 * at][i] | lines_.get()[2 * at + 1][i];
    }
  }
  lines_ = {memory, half.data()};
  count_ /= 2;
}

}  // namespace neardup
