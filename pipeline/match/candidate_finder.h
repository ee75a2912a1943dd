// Which earlier documents may be the original of a document: those that share a bucket with it, in
// the store or earlier in the batch, live, and at most lsh.bucket_cap of a bucket.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pipeline/core/candidate.h"
#include "pipeline/core/query.h"
#include "pipeline/core/sketched_batch.h"
#include "pipeline/match/capped_bucket_cache.h"
#include "pipeline/match/chunk_lookup.h"
#include "pipeline/match/pending.h"
#include "pipeline/match/seen_seqs.h"
#include "pipeline/rule/rule.h"

namespace neardup {

class Candidates {
 public:
  Candidates(const Rule& rule, const SketchComparer& comparer, LookUp& look_up, Pending& pending,
             CappedBucketCache& capped_buckets, const Tombstones& tombstones)
      : bands_(rule.plan.bands),
        cap_(rule.bucket_cap),
        comparer_(comparer),
        look_up_(look_up),
        pending_(pending),
        capped_buckets_(capped_buckets),
        tombstones_(tombstones) {}

  // Those that may be candidates of record i and that the nominator took, in no order. Requires: it
  // has a sketch. Valid until the next call.
  std::span<const Nominee> near(const SketchedBatch& chunk, std::size_t i, const Query& query);

  // Is a nominee of the last call of `near` a candidate? Its row is live and has a sketch.
  bool named(const DocumentRow& row, const Query& query) const;

  // The live document of the smallest seq with the same content and namespace, or null.
  const DocumentRow* same_content(const SketchedBatch& chunk, std::size_t i);

  // A live document of the namespace, or null.
  const DocumentRow* live(Seq seq, std::string_view name_space);
  // Such a one that has a sketch, or null.
  const DocumentRow* sketched(Seq seq, std::string_view name_space);

  std::uint64_t caps_hit() const { return caps_hit_; }

 private:
  // The content bucket of one text in one namespace, of which `passed` and all before it never
  // count again.
  struct ContentCursor {
    Hash128 content;
    std::string name_space;
    Seq passed = 0;
  };
  template <class Visit>
  void walk(const Bucket& bucket, const BucketSeqs& first, Seq passed, Visit visit);
  Seq passed(const Bucket& bucket, const SketchedBatch& chunk, std::size_t i) const;
  Candidate candidate(Seq seq);
  void nominate(const BucketSeqs& list, const Bucket& bucket, const Query& query);
  void nominate_capped(const BucketSeqs& list, const Bucket& bucket, const Query& query);
  CappedBucket& capped_bucket(const BucketSeqs& list, const Bucket& bucket, const Query& query);
  void judge_further(CappedBucket& entry, const Query& query);
  void judge(CappedBucket& entry, Seq seq, const Query& query);
  bool read_ahead(CappedBucket& entry);

  std::uint32_t bands_;
  std::uint32_t cap_;
  const SketchComparer& comparer_;
  LookUp& look_up_;
  Pending& pending_;
  CappedBucketCache& capped_buckets_;
  const Tombstones& tombstones_;
  SeqSieve sieve_;  // of nominees_, and those that were not taken
  std::vector<Nominee> nominees_;
  std::vector<Candidate> found_;         // beside those of the look-up
  std::vector<Seq> oldest_;              // of the capped buckets
  std::vector<std::uint32_t> free_;      // bands whose cap cannot bite
  std::vector<const SeqWords*> capped_;  // of each other band, those that count
  std::unordered_map<std::uint64_t, ContentCursor> content_cursors_;  // by key of the bucket
  std::uint64_t caps_hit_ = 0;
};

}  // namespace neardup
