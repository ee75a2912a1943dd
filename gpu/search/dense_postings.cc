#include "gpu/search/dense_postings.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "pipeline/base/in_threads.h"

namespace neardup {
namespace {

constexpr std::uint32_t kPlaceBits = 16;
constexpr std::uint32_t kGroup = 1 << 13;  // ranks, whose starts and places stay in the cache

}  // namespace

DensePostings::DensePostings(std::uint32_t objects, const AppendKeywords& append,
                             std::uint32_t threads)
    : objects_(objects), segments_((std::size_t{objects} + kSegmentObjects - 1) / kSegmentObjects) {
  find_keywords(append, threads);
  share_out(segments(), threads,
            [&](std::size_t, std::size_t i) { fill(static_cast<std::uint32_t>(i), append); });
}

std::size_t DensePostings::bytes() const {
  std::size_t bytes = 0;
  for (const Segment& segment : segments_) {
    bytes += segment.starts.size() * sizeof(segment.starts[0]);
    bytes += segment.places.size() * sizeof(segment.places[0]);
  }
  return bytes;
}

std::uint32_t DensePostings::segment_end(std::uint32_t number) const {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(objects_, (number + std::uint64_t{1}) * kSegmentObjects));
}

void DensePostings::find_keywords(const AppendKeywords& append, std::uint32_t threads) {
  std::vector<KeywordRanks> found(threads);
  share_out(segments(), threads, [&](std::size_t thread, std::size_t piece) {
    const auto number = static_cast<std::uint32_t>(piece);
    std::vector<std::uint32_t> keywords;
    for (std::uint32_t i = number * kSegmentObjects; i < segment_end(number); ++i) {
      keywords.clear();
      append(i, keywords);
      for (const std::uint32_t keyword : keywords) found[thread].insert(keyword);
    }
  });
  for (const KeywordRanks& part : found) ranks_.insert(part);
  ranks_.number();
}

void DensePostings::fill(std::uint32_t number, const AppendKeywords& append) {
  Segment& segment = segments_[number];
  segment.starts.reserve(ranks_.size() + std::size_t{1});
  const Sorting sorting = sort_by_group(number, append);
  segment.places.resize(sorting.entries.size());
  for (std::size_t group = 0; group + 1 < sorting.starts.size(); ++group) {
    const std::uint32_t begin = sorting.starts[group];
    const std::uint32_t end = sorting.starts[group + 1];
    const auto ranks = std::min(kGroup, ranks_.size() - static_cast<std::uint32_t>(group) * kGroup);
    sort_group({sorting.entries.data() + begin, end - begin}, begin, ranks, segment);
  }
  segment.starts.push_back(static_cast<std::uint32_t>(segment.places.size()));
}

DensePostings::Sorting DensePostings::sort_by_group(std::uint32_t number,
                                                    const AppendKeywords& append) const {
  const std::uint32_t first = number * kSegmentObjects;
  std::vector<std::uint32_t> ranks;  // of all objects, one after another
  std::vector<std::size_t> ends;     // of each object in `ranks`
  for (std::uint32_t i = first; i < segment_end(number); ++i) {
    append(i, ranks);
    ends.push_back(ranks.size());
  }
  Sorting sorting;
  sorting.starts.resize((ranks_.size() + std::size_t{kGroup} - 1) / kGroup + 1);
  for (std::uint32_t& keyword : ranks) {
    keyword = ranks_.below(keyword);
    ++sorting.starts[keyword / kGroup + 1];
  }
  std::partial_sum(sorting.starts.begin(), sorting.starts.end(), sorting.starts.begin());
  sorting.entries.resize(ranks.size());
  std::vector<std::uint32_t> next(sorting.starts);
  std::size_t at = 0;
  for (std::uint32_t place = 0; place < ends.size(); ++place) {
    for (; at < ends[place]; ++at) {
      sorting.entries[next[ranks[at] / kGroup]++] = (ranks[at] % kGroup) << kPlaceBits | place;
    }
  }
  return sorting;
}

void DensePostings::sort_group(std::span<const std::uint32_t> entries, std::uint32_t begin,
                               std::uint32_t ranks, Segment& segment) {
  std::array<std::uint32_t, kGroup> next{};
  for (const std::uint32_t entry : entries) ++next[entry >> kPlaceBits];
  std::exclusive_scan(next.begin(), next.end(), next.begin(), begin);
  segment.starts.insert(segment.starts.end(), next.begin(), next.begin() + ranks);
  for (const std::uint32_t entry : entries) {
    segment.places[next[entry >> kPlaceBits]++] = static_cast<std::uint16_t>(entry);
  }
}

}  // namespace neardup
