#include "pipeline/match/capped_bucket_cache.h"

#include <algorithm>
#include <utility>

namespace neardup {
namespace {

constexpr std::size_t kMostWords = 1 << 22;  // 32 MiB
constexpr std::size_t kEntryWords = 32;      // of an entry without its sketch and seqs
constexpr std::size_t kHolderWords = 6;      // of a seq in one list of holders

}  // namespace

void CappedBucketCache::limit() {
  if (words_ <= kMostWords) return;
  entries_.clear();
  holders_.clear();
  words_ = 0;
}

const CappedBucket* CappedBucketCache::held(const Bucket& bucket, const Query& query) const {
  if (entries_.empty()) return nullptr;
  const auto it = entries_.find(bucket);
  if (it == entries_.end()) return nullptr;
  const CappedBucket& entry = it->second;
  const bool same = entry.name_space == query.name_space &&
                    comparer_.band_equal(query.sketch, entry.sketch.data(), bucket.band);
  return same ? &entry : nullptr;
}

CappedBucket* CappedBucketCache::find(const Bucket& bucket, const Query& query) {
  auto* const entry = const_cast<CappedBucket*>(held(bucket, query));  // of this object
  if (entry != nullptr) drop_expired(*entry);
  return entry;
}

// Where its oldest has expired, it may not be full any more.
bool CappedBucketCache::is_full(const Bucket& bucket, const Query& query) const {
  const CappedBucket* entry = held(bucket, query);
  return entry != nullptr && entry->next != 0 &&
         !tombstones_.expired(first_seq(entry->oldest.front()));
}

CappedBucket& CappedBucketCache::make(const Bucket& bucket, const Query& query,
                                      std::span<const Seq> stored, bool more) {
  if (const auto it = entries_.find(bucket); it != entries_.end()) drop(it->second);
  CappedBucket& entry = entries_[bucket];
  entry.bucket = bucket;
  entry.name_space = query.name_space;
  entry.sketch.assign(query.sketch, query.sketch + comparer_.shape().sketch_words());
  entry.ahead.assign(stored.begin(), stored.end());
  entry.more = more;
  entry.commit = commits_;
  words_ += kEntryWords + entry.sketch.size();
  return entry;
}

void CappedBucketCache::add(CappedBucket& entry, Seq seq) {
  if (entry.count < cap_) {
    append(entry.oldest, seq);
    ++entry.count;
  } else {
    entry.next = seq;
  }
  holders_[seq].push_back(entry.bucket);
  words_ += kHolderWords;
}

void CappedBucketCache::go_on_reading(CappedBucket& entry) const {
  entry.more = entry.more || entry.commit != commits_;
  entry.commit = commits_;
}

void CappedBucketCache::on_tombstone(const Tombstone& tombstone) {
  const auto held = holders_.find(tombstone.seq);
  if (held == holders_.end()) return;
  const std::vector<Bucket> buckets = std::move(held->second);
  holders_.erase(held);
  words_ -= kHolderWords * buckets.size();
  for (const Bucket& bucket : buckets) remove(entries_.at(bucket), tombstone.seq);
}

void CappedBucketCache::remove(CappedBucket& entry, Seq seq) {
  if (entry.next == seq) {
    entry.next = 0;
    return;
  }
  neardup::remove(entry.oldest, seq);
  --entry.count;
  if (entry.next == 0) return;
  append(entry.oldest, std::exchange(entry.next, 0));
  ++entry.count;
}

void CappedBucketCache::drop_expired(CappedBucket& entry) {
  while (entry.count != 0 && tombstones_.expired(first_seq(entry.oldest.front()))) {
    const Seq seq = first_seq(entry.oldest.front());
    unlist(entry, seq);
    remove(entry, seq);
  }
}

void CappedBucketCache::unlist(const CappedBucket& entry, Seq seq) {
  const auto held = holders_.find(seq);
  std::erase(held->second, entry.bucket);
  if (held->second.empty()) holders_.erase(held);
  words_ -= kHolderWords;
}

void CappedBucketCache::drop(CappedBucket& entry) {
  for (const SeqWord& word : entry.oldest) {
    for_each_seq(word, [&](Seq seq) { unlist(entry, seq); });
  }
  if (entry.next != 0) unlist(entry, entry.next);
  words_ -= kEntryWords + entry.sketch.size();
  entry = {};
}

}  // namespace neardup
