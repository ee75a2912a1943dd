#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include "pipeline/base/in_threads.h"
#include "pipeline/items/edit_distance.h"
#include "pipeline/items/nearest.h"

namespace neardup {
namespace {

constexpr std::uint32_t kUsualCandidates = 32;  // as in GENIE

// The k nearest of the strings compared so far.
class NearestOf {
 public:
  NearestOf(std::uint32_t k, std::int64_t most) : k_(k), most_(most) {}

  // The greatest distance with which an item would be among them; negative: none.
  std::int64_t allowed(std::uint32_t item) const {
    if (hits_.size() < k_) return most_;
    const auto last = static_cast<std::int64_t>(hits_.back().distance);
    return item <= hits_.back().item ? last : last - 1;
  }
  std::int64_t allowed() const { return allowed(0); }  // of any item

  void add(std::uint32_t distance, std::uint32_t item) {
    const NearItem hit{static_cast<double>(distance), item};
    hits_.insert(std::ranges::upper_bound(hits_, hit), hit);
    if (hits_.size() > k_) hits_.pop_back();
  }

  const std::vector<NearItem>& hits() const { return hits_; }

 private:
  std::uint32_t k_;
  std::int64_t most_;
  std::vector<NearItem> hits_;
};

// One query.
class StringSearch {
 public:
  StringSearch(const StringColumn& strings, std::string_view text, std::uint32_t k,
               std::int64_t most)
      : strings_(strings), pattern_(text), k_(k), nearest_(k, most) {}

  // Two strings at distance d share max(lengths) − n + 1 − d · n ordered n-grams or more (Theorem
  // 5.1), of which counters see 255.
  std::int64_t least_count(std::int64_t distance, std::uint32_t characters = 0) const {
    const auto size = static_cast<std::int64_t>(std::max(pattern_.size(), characters));
    const std::int64_t gram = strings_.gram();
    return std::min<std::int64_t>(size - gram + 1 - distance * gram, CountQueue::kMostCount);
  }
  // No item with a lower count can be among the nearest.
  std::int64_t gate() const { return least_count(nearest_.allowed()); }
  std::int64_t gate(std::uint32_t item) const { return least_count(nearest_.allowed(item)); }

  // Whether lengths and the count leave an item among the nearest.
  bool is_possible(std::uint32_t item, std::int64_t count) const {
    const std::int64_t allowed = nearest_.allowed(item);
    const std::uint32_t characters = strings_.characters(item);
    const std::int64_t gap = std::int64_t{characters} - pattern_.size();
    return std::abs(gap) <= allowed && count >= least_count(allowed, characters);
  }

  void compare(std::uint32_t item, std::int64_t count) {
    if (!is_possible(item, count)) return;
    const std::int64_t allowed = nearest_.allowed(item);
    const std::uint32_t characters = strings_.characters(item);
    const std::uint32_t distance =
        pattern_.distance(strings_.text(item), characters, static_cast<std::uint32_t>(allowed));
    if (distance <= allowed) nearest_.add(distance, item);
  }

  // Compares candidates by falling count until the bound ends it, and returns whether it did.
  bool compare(std::span<const MatchedObject> candidates) {
    for (const MatchedObject& candidate : candidates) {
      if (candidate.count < gate()) return true;
      compare(candidate.object, candidate.count);
    }
    return false;
  }

  // Begins again, knowing how near the nearest are at most.
  void restart() { nearest_ = NearestOf(k_, nearest_.allowed()); }

  void compare_all() {
    for (std::uint32_t item = 0; item < strings_.size(); ++item)
      compare(item, CountQueue::kMostCount);
  }

  const std::vector<NearItem>& hits() const { return nearest_.hits(); }

 private:
  const StringColumn& strings_;
  EditPattern pattern_;
  std::uint32_t k_;
  NearestOf nearest_;
};

// Calls take(i) for each count of `gate` or more.
template <class Take>
void each_matched(std::span<const std::uint8_t> counts, std::uint8_t gate, const Take& take) {
  constexpr std::size_t kAtOnce = 64;
  std::size_t i = 0;
  const auto look = [&](std::size_t end) {
    for (; i < end; ++i) {
      if (counts[i] >= gate) take(i);
    }
  };
  while (i + kAtOnce <= counts.size()) {
    std::uint8_t most = 0;
    for (std::size_t j = 0; j < kAtOnce; ++j) most = std::max(most, counts[i + j]);
    if (most < gate) {
      i += kAtOnce;
    } else {
      look(i + kAtOnce);
    }
  }
  look(counts.size());
}

// What one thread needs to continue searches.
struct Continuing {
  SegmentCounts counters;
  std::array<std::vector<MatchedObject>, CountQueue::kMostCount + 1> matched;  // by count
};

// All that the bound leaves, by falling count; and where it leaves items without a common n-gram,
// all items.
void continue_search(const DensePostings& postings, DenseQuery query, Continuing& with,
                     StringSearch& search) {
  for (auto& objects : with.matched) objects.clear();
  visit_counts(postings, query, with.counters, [&](std::uint32_t first, auto counts) {
    const auto gate = static_cast<std::uint8_t>(std::max<std::int64_t>(1, search.gate(first)));
    each_matched(counts, gate, [&](std::size_t i) {
      const std::uint32_t item = first + static_cast<std::uint32_t>(i);
      if (search.is_possible(item, counts[i])) with.matched[counts[i]].push_back({counts[i], item});
    });
  });
  search.restart();
  for (std::size_t count = with.matched.size(); count-- > 1;) {
    if (search.compare(with.matched[count])) break;
  }
  if (search.gate() > 0) return;
  search.restart();
  search.compare_all();
}

}  // namespace

std::vector<NearestItems> nearest_strings(const StringColumn& strings,
                                          const DensePostings& postings,
                                          std::span<const DenseQuery> queries,
                                          std::span<const FieldValue* const> values,
                                          const ItemSearchOptions& options) {
  const std::uint32_t most = options.candidates_or(kUsualCandidates);
  const auto candidates = best_matches(postings, queries, most, options.threads);
  const auto greatest =
      static_cast<std::int64_t>(std::min<double>(options.max_distance, kMostCharacters));
  std::vector<std::unique_ptr<Continuing>> continuing(options.threads);
  std::vector<NearestItems> found(queries.size());
  share_out(queries.size(), options.threads, [&](std::size_t thread, std::size_t i) {
    StringSearch search(strings, values[i]->text, options.k, greatest);
    const bool ended = search.compare(candidates[i]);
    // The others have the count of the last candidate at most.
    const std::int64_t others = candidates[i].size() < most ? 0 : candidates[i].back().count;
    found[i].by_candidates = ended || others < search.gate();
    if (!found[i].by_candidates && options.exact) {
      if (!continuing[thread]) continuing[thread] = std::make_unique<Continuing>();
      continue_search(postings, queries[i], *continuing[thread], search);
    }
    found[i].certain = found[i].by_candidates || options.exact;
    found[i].hits = search.hits();
  });
  return found;
}

}  // namespace neardup
