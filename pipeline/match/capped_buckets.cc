#include "pipeline/match/capped_buckets.h"

namespace neardup {

const CappedBucket& CappedBuckets::members(const BucketSeqs& stored, const Bucket& bucket,
                                           const Query& query) {
  CappedBucket& entry = entry_of(stored, bucket, query);
  judge_further(entry, query);
  if (entry.next != 0) ++caps_hit_;
  return entry;
}

CappedBucket& CappedBuckets::entry_of(const BucketSeqs& stored, const Bucket& bucket,
                                      const Query& query) {
  if (CappedBucket* known = cache_.find(bucket, query)) return *known;
  rows_.fetch(stored.seqs);
  return cache_.make(bucket, query, stored.seqs, stored.more);
}

// Judges documents until one more than the cap is found, or none is left.
void CappedBuckets::judge_further(CappedBucket& entry, const Query& query) {
  if (entry.next != 0) return;
  cache_.go_on_reading(entry);
  do {
    while (entry.next == 0 && entry.ahead_from < entry.ahead.size()) {
      judge(entry, entry.ahead[entry.ahead_from++], query);
    }
  } while (entry.next == 0 && read_ahead(entry));
  if (entry.next != 0) return;
  pending_.visit_bucket(entry.bucket, [&](const Candidate& pending) {
    if (pending.seq > entry.judged) judge(entry, pending.seq, query);
    return entry.next == 0;
  });
}

void CappedBuckets::judge(CappedBucket& entry, Seq seq, const Query& query) {
  entry.judged = seq;
  const DocumentRow* row = live_.find_sketched(seq, query.name_space);
  if (row == nullptr) return;
  if (!comparer_.band_equal(query.sketch, row->sketch.data(), entry.bucket.band)) return;
  cache_.add(entry, seq);
}

// False: the store has no more.
bool CappedBuckets::read_ahead(CappedBucket& entry) {
  if (!entry.more) return false;
  const BucketSeqs list = lookup_.postings(entry.bucket, entry.judged);
  entry.ahead.assign(list.seqs.begin(), list.seqs.end());
  entry.ahead_from = 0;
  entry.more = list.more;
  rows_.fetch(entry.ahead);
  return !entry.ahead.empty();
}

}  // namespace neardup
