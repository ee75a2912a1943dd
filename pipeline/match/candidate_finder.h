// The candidates of a document: the live documents that share a bucket with it, in the store or
// earlier in the batch, at most lsh.bucket_cap of a bucket.
//
// This is the one place that lists buckets, removes repeats and applies the cap and the prefilter.
// It works in two steps. `prepare` scores the stored candidates of whole chunks, so that the rows
// of the promising ones can be read in bulk. `find` adds, for one document, what the batch has put
// since and the documents of buckets that the cap may cut.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gpu/cpu/compare.h"
#include "metrics/pipeline_probe.h"
#include "pipeline/base/team.h"
#include "pipeline/match/capped_buckets.h"
#include "pipeline/match/chunk_lookup.h"
#include "pipeline/match/group_buckets.h"
#include "pipeline/match/pending.h"
#include "pipeline/match/prefilter.h"
#include "pipeline/match/seen_seqs.h"
#include "pipeline/match/seq_bitmap.h"
#include "pipeline/match/sketch_cache.h"
#include "pipeline/model/candidate.h"
#include "pipeline/model/query.h"
#include "pipeline/model/sketched_batch.h"

namespace neardup {

// The candidates of one document.
struct CandidateList {
  std::vector<ScoredCandidate> scored;   // unordered; some may be deleted or of another bucket
  std::vector<std::uint32_t> uncapped;   // bands in which every document of the bucket counts
  std::vector<const SeqBitmap*> capped;  // of each other band: the documents that count

  // Does the document of `row` share a bucket with the query, within the bucket's cap? The keys by
  // which buckets are found are hashes, so a bucket may list documents of another one.
  bool in_counted_bucket(const SketchComparer& comparer, const Query& query,
                         const DocumentRow& row) const;
};

// Sizes of the buckets of a chunk's bands, as they were read.
struct BucketSizes {
  std::array<std::uint64_t, kBucketWidths> by_width{};
  std::uint64_t sum = 0;

  void add(std::size_t size);
  BucketSizes& operator+=(const BucketSizes& other);
};

class CandidateFinder {
 public:
  // The references must outlive this.
  CandidateFinder(std::uint32_t bands, std::uint32_t cap, ChunkLookup& lookup, Pending& pending,
                  const GroupBuckets& buckets, CappedBuckets& capped_buckets, SketchCache& sketches,
                  const Prefilter& prefilter, Team& team)
      : bands_(bands),
        cap_(cap),
        lookup_(lookup),
        pending_(pending),
        buckets_(buckets),
        capped_buckets_(capped_buckets),
        sketches_(sketches),
        prefilter_(prefilter),
        team_(team) {}

  // Scores the stored candidates of every document of these parts, except those in buckets that the
  // cap may cut. Requires: `lookup` has run for them.
  void prepare(const ChunkParts& parts);
  // What follows is about the chunk whose first part has this number, which `lookup` has selected.
  void select(std::size_t first_part) { first_part_ = first_part; }

  // What `prepare` found for record i.
  std::span<const ScoredCandidate> prepared(std::size_t i) const {
    const Part& part = parts_[first_part_ + i / ChunkPart::kRecords];
    const std::size_t at = i % ChunkPart::kRecords;
    return std::span(part.scored).subspan(part.first[at], part.first[at + 1] - part.first[at]);
  }

  // Can `find` find anything for record i of the selected chunk? Requires: the record has a sketch.
  bool may_find(std::size_t i) const {
    const Part& part = parts_[first_part_ + i / ChunkPart::kRecords];
    return part.has_stored[i % ChunkPart::kRecords] != 0 || buckets_.has_company(i);
  }

  // The candidates of record i of the selected chunk. Requires: the record has a sketch. Valid
  // until the next call.
  const CandidateList& find(const SketchedBatch& chunk, std::size_t i, const Query& query);

  // Since the start.
  const FilterCounts& filter_counts() const { return counts_; }
  // Since the last call.
  BucketSizes take_bucket_sizes() { return std::exchange(bucket_sizes_, {}); }

 private:
  // The stored candidates of the records of a part, and what finding them needs.
  struct Part {
    std::vector<ScoredCandidate> scored;
    std::vector<std::size_t> first;        // of each record, in scored
    std::vector<std::uint8_t> has_stored;  // of each record: some are scored, or were not read
    SeenSeqs seen;                         // candidates of the current document
    std::vector<Candidate> listed;
    FilterCounts counts;
    BucketSizes sizes;
  };

  void prepare(const ChunkPart& range, std::size_t number);
  void prefetch_candidates(std::size_t number, std::size_t at);
  bool list_stored(std::size_t number, std::size_t at);
  void list(const BucketSeqs& stored, const Bucket& bucket, const PendingBuckets::At& at,
            const Query& query);
  void list_capped(const BucketSeqs& stored, const Bucket& bucket, const Query& query);
  Candidate candidate(Seq seq);

  std::uint32_t bands_;
  std::uint32_t cap_;
  ChunkLookup& lookup_;
  Pending& pending_;
  const GroupBuckets& buckets_;
  CappedBuckets& capped_buckets_;
  SketchCache& sketches_;
  const Prefilter& prefilter_;
  Team& team_;
  std::vector<Part> parts_;
  std::size_t first_part_ = 0;
  SeenSeqs seen_;                  // candidates of the current document
  std::vector<Candidate> listed_;  // candidates to score
  std::vector<Seq> oldest_;        // candidates from capped buckets
  CandidateList found_;
  FilterCounts counts_;
  BucketSizes bucket_sizes_;
};

}  // namespace neardup
