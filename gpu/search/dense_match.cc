#include "gpu/search/dense_match.h"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "pipeline/base/in_threads.h"

namespace neardup {
namespace {

using ListsOfQuery = std::vector<DensePostings::Lists>;

std::vector<ListsOfQuery> lists_of(const DensePostings& postings,
                                   std::span<const DenseQuery> queries) {
  std::vector<ListsOfQuery> lists(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    for (const KeywordRange& range : queries[i]) lists[i].push_back(postings.lists(range));
  }
  return lists;
}

// What one thread has found in its segments.
class Part {
 public:
  Part(const DensePostings& postings, std::span<const ListsOfQuery> queries, std::uint32_t most)
      : postings_(&postings),
        queries_(queries),
        queues_(queries.size(), CountQueue(most)),
        counts_(std::make_unique<SegmentCounts>()) {}

  // A segment stays in the cache while all queries pass by it. While one is counted, the lists of
  // the next and the starts of the one after that are fetched.
  void add(std::uint32_t segment) {
    prefetch(segment, 1);
    gather(segment, 0);
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      counting_.swap(gathered_);
      prefetch(segment, i + 2);
      gather(segment, i + 1);
      queues_[i].add(counting_, segment * kSegmentObjects, *counts_);
    }
  }

  const std::vector<MatchedObject>& best(std::size_t query) const { return queues_[query].best(); }

 private:
  void prefetch(std::uint32_t segment, std::size_t query) const {
    if (query >= queries_.size()) return;
    for (const DensePostings::Lists& lists : queries_[query]) postings_->prefetch(segment, lists);
  }

  void gather(std::uint32_t segment, std::size_t query) {
    gathered_.clear();
    if (query >= queries_.size()) return;
    for (const DensePostings::Lists& lists : queries_[query]) {
      gathered_.push_back(postings_->places(segment, lists));
      __builtin_prefetch(gathered_.back().data());
    }
  }

  const DensePostings* postings_;
  std::span<const ListsOfQuery> queries_;
  std::vector<CountQueue> queues_;  // by query
  std::unique_ptr<SegmentCounts> counts_;
  std::vector<DensePostings::Places> gathered_;  // of one query in one segment
  std::vector<DensePostings::Places> counting_;
};

}  // namespace

std::vector<std::vector<MatchedObject>> best_matches(const DensePostings& postings,
                                                     std::span<const DenseQuery> queries,
                                                     std::uint32_t most, std::uint32_t threads) {
  const std::vector<ListsOfQuery> lists = lists_of(postings, queries);
  std::vector<Part> parts;
  for (std::uint32_t i = 0; i < threads; ++i) parts.emplace_back(postings, lists, most);
  share_out(postings.segments(), threads, [&](std::size_t thread, std::size_t segment) {
    parts[thread].add(static_cast<std::uint32_t>(segment));
  });
  std::vector<std::vector<MatchedObject>> best(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    for (const Part& part : parts) {
      best[i].insert(best[i].end(), part.best(i).begin(), part.best(i).end());
    }
    std::sort(best[i].begin(), best[i].end());
    if (best[i].size() > most) best[i].resize(most);
  }
  return best;
}

void visit_counts(
    const DensePostings& postings, DenseQuery query, SegmentCounts& counters,
    const std::function<void(std::uint32_t first, std::span<const std::uint8_t> counts)>& visit) {
  const ListsOfQuery lists = lists_of(postings, {&query, 1}).front();
  for (std::uint32_t segment = 0; segment < postings.segments(); ++segment) {
    if (segment + 1 < postings.segments()) {
      for (const DensePostings::Lists& list : lists) postings.prefetch(segment + 1, list);
    }
    counters.fill(0);
    for (const DensePostings::Lists& list : lists) {
      for (const std::uint16_t place : postings.places(segment, list)) {
        if (++counters[place] == 0) counters[place] = CountQueue::kMostCount;
      }
    }
    const std::uint32_t first = segment * kSegmentObjects;
    visit(first, {counters.data(), std::min(kSegmentObjects, postings.objects() - first)});
  }
}

}  // namespace neardup
