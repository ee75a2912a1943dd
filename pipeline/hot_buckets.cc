#include "pipeline/hot_buckets.h"

#include <utility>

namespace neardup {
namespace {

constexpr std::size_t kMostBuckets = 4096;

}  // namespace

const std::vector<Seq>* HotBuckets::find(const Bucket& bucket, const Query& query) {
  if (ends_ != pending_.ends()) {
    entries_.clear();
    ends_ = pending_.ends();
  }
  const auto it = entries_.find(bucket);
  if (it == entries_.end()) return nullptr;
  const Entry& entry = it->second;
  const bool same = entry.name_space == query.name_space && !pending_.expired(entry.seqs.front()) &&
                    comparer_.band_equal(query.sketch, entry.sketch.data(), bucket.band);
  return same ? &entry.seqs : nullptr;
}

void HotBuckets::keep(const Bucket& bucket, const Query& query, std::size_t sketch_words,
                      std::vector<Seq> seqs) {
  if (entries_.size() >= kMostBuckets) entries_.clear();
  entries_[bucket] = {
      std::string(query.name_space), {query.sketch, query.sketch + sketch_words}, std::move(seqs)};
}

}  // namespace neardup
