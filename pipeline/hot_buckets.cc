#include "pipeline/hot_buckets.h"

#include <utility>

namespace neardup {
namespace {

constexpr std::size_t kMostWords = 1 << 22;  // 32 MiB

}  // namespace

void HotBuckets::refresh() {
  if (!stale_ && words_ <= kMostWords) return;
  entries_.clear();
  words_ = 0;
  stale_ = false;
}

const SeqWords* HotBuckets::find(const Bucket& bucket, const Query& query) {
  if (entries_.empty()) return nullptr;
  const auto it = entries_.find(bucket);
  if (it == entries_.end()) return nullptr;
  const Entry& entry = it->second;
  const bool same = entry.name_space == query.name_space &&
                    !tombstones_.expired(first_seq(entry.seqs.front())) &&
                    comparer_.band_equal(query.sketch, entry.sketch.data(), bucket.band);
  return same ? &entry.seqs : nullptr;
}

const SeqWords* HotBuckets::keep(const Bucket& bucket, const Query& query, std::size_t sketch_words,
                                 SeqWords seqs) {
  words_ += sketch_words + seqs.size() * sizeof(SeqWord) / sizeof(std::uint64_t);
  Entry& entry = entries_[bucket];
  entry = {
      std::string(query.name_space), {query.sketch, query.sketch + sketch_words}, std::move(seqs)};
  return &entry.seqs;
}

}  // namespace neardup
