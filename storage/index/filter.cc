#include "storage/index/filter.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <numeric>

namespace neardup {

std::uint64_t Filter::lines_for(std::uint64_t postings, std::uint64_t bits) {
  constexpr std::uint64_t kBits = 8 * kLineBytes;
  const std::uint64_t lines = (postings * bits + kBits - 1) / kBits;
  return std::max<std::uint64_t>(4, (lines + 3) / 4 * 4);
}

std::vector<Filter> Filter::make(std::span<const std::uint64_t> lines) {
  const auto memory = make_lines(std::accumulate(lines.begin(), lines.end(), std::uint64_t{0}));
  std::vector<Filter> made;
  std::uint64_t begin = 0;
  for (const std::uint64_t count : lines) {
    made.push_back(Filter(std::shared_ptr<Line[]>(memory, memory.get() + begin), count));
    begin += count;
  }
  return made;
}

// Large pages: a look-up touches a random line, and would miss in the TLB each time.
std::shared_ptr<Filter::Line[]> Filter::make_lines(std::uint64_t lines) {
  const std::size_t bytes = lines * kLineBytes;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  madvise(memory, bytes, MADV_HUGEPAGE);
  return {static_cast<Line*>(memory), [bytes](Line* start) { munmap(start, bytes); }};
}

void Filter::add(Hash40 hash) {
  Line& line = lines_[place(hash)];
  const std::uint64_t spread = hash * kSpread;
  for (unsigned i = 0; i < kWords; ++i) line[i] |= std::uint64_t{1} << bit(spread, i);
}

void Filter::fold() {
  auto half = make_lines(count_ / 2);
  for (std::uint64_t at = 0; at < count_ / 2; ++at) {
    for (unsigned i = 0; i < kWords; ++i) {
      half[at][i] = lines_[2 * at][i] | lines_[2 * at + 1][i];
    }
  }
  lines_ = std::move(half);
  count_ /= 2;
}

}  // namespace neardup
