// The documents that count in a bucket with more than lsh.bucket_cap of them: the oldest live ones.
#pragma once

#include <cstdint>

#include "gpu/cpu/compare.h"
#include "pipeline/match/capped_bucket_cache.h"
#include "pipeline/match/chunk_lookup.h"
#include "pipeline/match/live_rows.h"
#include "pipeline/match/pending.h"
#include "pipeline/match/row_cache.h"
#include "pipeline/model/query.h"

namespace neardup {

class CappedBuckets {
 public:
  // The references must outlive this.
  CappedBuckets(const SketchComparer& comparer, ChunkLookup& lookup, Pending& pending,
                LiveRows& live, RowCache& rows, CappedBucketCache& cache)
      : comparer_(comparer),
        lookup_(lookup),
        pending_(pending),
        live_(live),
        rows_(rows),
        cache_(cache) {}

  // The oldest live documents of the bucket of `query`, at most the cap, and whether there is a
  // `next` one. `stored`: the first postings of the store. Valid until the cache's `limit`.
  const CappedBucket& members(const BucketSeqs& stored, const Bucket& bucket, const Query& query);

  // How often a bucket had more live documents than the cap.
  std::uint64_t caps_hit() const { return caps_hit_; }

 private:
  CappedBucket& entry_of(const BucketSeqs& stored, const Bucket& bucket, const Query& query);
  void judge_further(CappedBucket& entry, const Query& query);
  void judge(CappedBucket& entry, Seq seq, const Query& query);
  bool read_ahead(CappedBucket& entry);

  const SketchComparer& comparer_;
  ChunkLookup& lookup_;
  Pending& pending_;
  LiveRows& live_;
  RowCache& rows_;
  CappedBucketCache& cache_;
  std::uint64_t caps_hit_ = 0;
};

}  // namespace neardup
