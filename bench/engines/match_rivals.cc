#include "bench/engines/match_rivals.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <span>

#include "gpu/hd/arithmetic.h"

#if defined(__x86_64__)
// One body, compiled for each SIMD level and chosen at run time.
#define NEARDUP_BENCH_LEVELS [[gnu::target_clones("default", "avx2")]]
#else
#define NEARDUP_BENCH_LEVELS
#endif

namespace neardup::bench {
namespace {

constexpr std::uint32_t kBuckets = 32;

// Equal values of each row and the query, of a multiple of kLane values: each lane counts its own.
template <class Value>
[[gnu::always_inline]] inline void count_equal(const Value* rows, std::uint32_t count,
                                               std::uint32_t stride, const Value* query,
                                               std::uint32_t* equal) {
  using Lanes [[gnu::vector_size(32)]] = Value;
  constexpr std::uint32_t kLanes = sizeof(Lanes) / sizeof(Value);
  for (std::uint32_t i = 0; i < count; ++i, rows += stride) {
    Lanes lanes{};
    for (std::uint32_t j = 0; j < stride; j += kLanes) {
      Lanes a;
      Lanes b;
      std::memcpy(&a, rows + j, sizeof(a));
      std::memcpy(&b, query + j, sizeof(b));
      lanes -= reinterpret_cast<Lanes>(a == b);  // each −1 or 0
    }
    equal[i] = 0;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) equal[i] += lanes[lane];
  }
}

NEARDUP_BENCH_LEVELS void equal_values(const std::uint8_t* rows, std::uint32_t count,
                                       std::uint32_t stride, const std::uint8_t* query,
                                       std::uint32_t* equal) {
  count_equal(rows, count, stride, query, equal);
}

NEARDUP_BENCH_LEVELS void equal_values(const std::uint16_t* rows, std::uint32_t count,
                                       std::uint32_t stride, const std::uint16_t* query,
                                       std::uint32_t* equal) {
  count_equal(rows, count, stride, query, equal);
}

// The best of the objects offered in ascending order.
class Best {
 public:
  explicit Best(std::uint32_t most) : most_(most) {}

  void offer(const MatchedObject& object) {
    if (object.count <= least_) return;
    best_.insert(std::upper_bound(best_.begin(), best_.end(), object), object);
    if (best_.size() > most_) best_.pop_back();
    if (best_.size() == most_) least_ = best_.back().count;
  }
  Answer take() { return std::move(best_); }

 private:
  std::uint32_t most_;
  std::uint32_t least_ = 0;
  Answer best_;
};

}  // namespace

template <class Value>
std::vector<KeywordRange> items_of(const Signatures<Value>& signatures, const Value* row) {
  std::vector<KeywordRange> items;
  for (std::uint32_t f = 0; f < signatures.functions(); ++f) {
    const std::uint32_t keyword = f * signatures.range() + row[f];
    items.push_back({keyword, keyword});
  }
  return items;
}

CountTable::CountTable(const DensePostings& postings, std::uint32_t keywords)
    : counts_(postings.objects()), order_(postings.objects()) {
  starts_.reserve(keywords + std::size_t{1});
  starts_.push_back(0);
  for (std::uint32_t keyword = 0; keyword < keywords; ++keyword) {
    const DensePostings::Lists lists = postings.lists({keyword, keyword});
    std::size_t size = 0;
    for (std::uint32_t i = 0; i < postings.segments(); ++i)
      size += postings.places(i, lists).size();
    starts_.push_back(starts_.back() + size);
  }
  ids_.resize(starts_.back());
  std::size_t at = 0;
  for (std::uint32_t keyword = 0; keyword < keywords; ++keyword) {
    const DensePostings::Lists lists = postings.lists({keyword, keyword});
    for (std::uint32_t i = 0; i < postings.segments(); ++i) {
      for (const std::uint16_t place : postings.places(i, lists)) {
        ids_[at++] = i * kSegmentObjects + place;
      }
    }
  }
}

void CountTable::count(const std::vector<KeywordRange>& query) {
  std::fill(counts_.begin(), counts_.end(), 0);
  for (const KeywordRange& item : query) {
    for (std::size_t i = starts_[item.first]; i < starts_[item.last + 1]; ++i) ++counts_[ids_[i]];
  }
}

Answer CountTable::by_partial_sort(const std::vector<KeywordRange>& query, std::uint32_t most) {
  count(query);
  std::iota(order_.begin(), order_.end(), 0);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return counts_[a] != counts_[b] ? counts_[a] > counts_[b] : a < b;
  };
  const auto end = order_.begin() + std::min<std::ptrdiff_t>(most, std::ssize(order_));
  if (end != order_.end()) std::nth_element(order_.begin(), end, order_.end(), before);
  Answer best;
  for (auto id = order_.begin(); id < end; ++id) {
    if (counts_[*id] > 0) best.push_back({counts_[*id], *id});
  }
  std::sort(best.begin(), best.end());
  return best;
}

Answer CountTable::by_buckets(const std::vector<KeywordRange>& query, std::uint32_t most) {
  count(query);
  std::iota(order_.begin(), order_.end(), 0);
  std::span<std::uint32_t> ids = order_;
  Answer best;
  while (best.size() < most && !ids.empty()) ids = cut_buckets(ids, most, best);
  std::erase_if(best, [](const MatchedObject& object) { return object.count == 0; });
  std::sort(best.begin(), best.end());
  return best;
}

std::span<std::uint32_t> CountTable::cut_buckets(std::span<std::uint32_t> ids, std::uint32_t most,
                                                 Answer& best) const {
  const auto by_count = [&](std::uint32_t a, std::uint32_t b) { return counts_[a] < counts_[b]; };
  const auto ends = std::minmax_element(ids.begin(), ids.end(), by_count);
  const std::uint32_t least = counts_[*ends.first];
  const std::uint32_t highest = counts_[*ends.second];
  if (least == highest) {
    for (std::size_t i = 0; i < ids.size() && best.size() < most; ++i) {
      best.push_back({least, ids[i]});
    }
    return {};
  }
  const auto bucket = [&](std::uint32_t id) {
    return std::min(kBuckets - 1, (highest - counts_[id]) * kBuckets / (highest - least));
  };
  std::array<std::uint32_t, kBuckets> sizes{};
  for (const std::uint32_t id : ids) ++sizes[bucket(id)];
  std::uint32_t last = 0;  // the bucket with the object that fills `best`
  for (std::size_t sum = best.size() + sizes[0]; sum < most && last + 1 < kBuckets;) {
    sum += sizes[++last];
  }
  std::size_t kept = 0;
  for (const std::uint32_t id : ids) {
    if (bucket(id) < last) best.push_back({counts_[id], id});
    if (bucket(id) == last) ids[kept++] = id;
  }
  return ids.first(kept);
}

template <class Value>
std::vector<Answer> scan_signatures(const Signatures<Value>& signatures, std::uint32_t first,
                                    std::uint32_t count, std::uint32_t most) {
  constexpr std::uint32_t kTile = 64;
  const std::uint32_t stride = signatures.stride();
  const std::uint32_t padding = stride - signatures.functions();
  std::vector<Best> best(count, Best(most));
  std::array<std::uint32_t, kTile> equal{};
  for (std::uint32_t row = 0; row < signatures.objects(); row += kTile) {
    const std::uint32_t rows = std::min(kTile, signatures.objects() - row);
    for (std::uint32_t i = 0; i < count; ++i) {
      equal_values(signatures.object(row), rows, stride, signatures.query(first + i), equal.data());
      for (std::uint32_t r = 0; r < rows; ++r) best[i].offer({equal[r] - padding, row + r});
    }
  }
  std::vector<Answer> answers;
  for (Best& one : best) answers.push_back(one.take());
  return answers;
}

template <class Value>
LshTables<Value>::LshTables(const Signatures<Value>& signatures, std::uint32_t rows)
    : signatures_(&signatures),
      rows_(rows),
      bands_(signatures.functions() / rows),
      bucket_bits_(static_cast<std::uint32_t>(std::bit_width(signatures.objects()))),
      starts_(bands_),
      ids_(bands_) {
  for (std::uint32_t band = 0; band < bands_; ++band) {
    std::vector<std::uint32_t>& starts = starts_[band];
    starts.resize((std::size_t{1} << bucket_bits_) + 1);
    for (std::uint32_t i = 0; i < signatures.objects(); ++i) {
      ++starts[bucket(signatures.object(i), band) + std::size_t{1}];
    }
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<std::uint32_t> next(starts);
    ids_[band].resize(signatures.objects());
    for (std::uint32_t i = 0; i < signatures.objects(); ++i) {
      ids_[band][next[bucket(signatures.object(i), band)]++] = i;
    }
  }
}

template <class Value>
std::uint32_t LshTables<Value>::bucket(const Value* row, std::uint32_t band) const {
  std::uint64_t hash = band;
  for (std::uint32_t r = 0; r < rows_; ++r) {
    hash = hd::mix64((hash ^ row[band * rows_ + r]) + hd::kGolden);
  }
  return static_cast<std::uint32_t>(hash >> (64 - bucket_bits_));
}

template <class Value>
Answer LshTables<Value>::answer(std::uint32_t query, std::uint32_t most) const {
  const Value* const row = signatures_->query(query);
  std::vector<std::uint32_t> found;
  for (std::uint32_t band = 0; band < bands_; ++band) {
    const std::uint32_t* const start = &starts_[band][bucket(row, band)];
    found.insert(found.end(), ids_[band].begin() + start[0], ids_[band].begin() + start[1]);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  Best best(most);
  const std::uint32_t padding = signatures_->stride() - signatures_->functions();
  for (const std::uint32_t id : found) {
    std::uint32_t equal = 0;
    equal_values(signatures_->object(id), 1, signatures_->stride(), row, &equal);
    best.offer({equal - padding, id});
  }
  return best.take();
}

template <class Value>
std::size_t LshTables<Value>::bytes() const {
  return bands_ * (starts_[0].size() + ids_[0].size()) * sizeof(std::uint32_t);
}

template class LshTables<std::uint8_t>;
template class LshTables<std::uint16_t>;
template std::vector<KeywordRange> items_of(const Signatures<std::uint8_t>&, const std::uint8_t*);
template std::vector<KeywordRange> items_of(const Signatures<std::uint16_t>&, const std::uint16_t*);
template std::vector<Answer> scan_signatures(const Signatures<std::uint8_t>&, std::uint32_t,
                                             std::uint32_t, std::uint32_t);
template std::vector<Answer> scan_signatures(const Signatures<std::uint16_t>&, std::uint32_t,
                                             std::uint32_t, std::uint32_t);

}  // namespace neardup::bench
