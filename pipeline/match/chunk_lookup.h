// All questions that a chunk of records puts to the store, asked in bulk before the first one is
// decided. The answers are of the store as it was at the last commit.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gpu/compare.h"
#include "metrics/pipeline_probe.h"
#include "pipeline/core/candidate.h"
#include "pipeline/core/sketched_batch.h"
#include "pipeline/match/capped_bucket_cache.h"
#include "pipeline/match/one_bit_filter.h"
#include "pipeline/match/prefilter.h"
#include "pipeline/match/row_cache.h"
#include "pipeline/match/seen_seqs.h"
#include "pipeline/match/sketch_cache.h"
#include "pipeline/rule/options.h"
#include "pipeline/stage_clock.h"
#include "storage/store.h"

namespace neardup {

// Seqs of one bucket, oldest first.
struct BucketSeqs {
  std::span<const Seq> seqs;
  bool more = false;  // the bucket holds later ones, too, or: may hold some
  Seq last() const { return seqs.empty() ? 0 : seqs.back(); }
};

// Whose rows are fetched in bulk: of all nominees, or of those that may have the largest count of
// equal values.
enum class RowsOf : std::uint8_t { kAll, kBest };

// Sizes of the bands' buckets, as they were listed.
struct BucketSizes {
  std::array<std::uint64_t, kBucketWidths> by_width{};
  std::uint64_t sum = 0;
};

class LookUp {
 public:
  // `cap`: how many postings of a bucket are fetched at first; of full ones none. `held`:
  // how many bytes of sketches and rows are.
  LookUp(Store& store, std::uint32_t bands, std::uint32_t cap, const SketchComparer& comparer,
         OneBitFilter& filter, CappedBucketCache& capped_buckets, Tombstones& tombstones,
         RowsOf rows_of, const FilterOptions& held);

  // Asks for every document and delete record of the chunk: its id, its content bucket, its bands,
  // and the rows of the documents that those name and the filter lets through.
  void run(const SketchedBatch& chunk);

  // Answers for record i of the last run.
  const IdKey& key(std::size_t i) const { return keys_[i]; }
  const std::optional<IdRow>& id(std::size_t i) const { return ids_[i]; }
  // Requires: record i is a document.
  BucketSeqs content(std::size_t i) const { return list(first_place_[i]); }
  // Requires of both: record i is a document with a sketch.
  BucketSeqs band(std::size_t i, std::uint32_t m) const { return list(first_place_[i] + 1 + m); }
  // Those in bands without `more` that the nominator took.
  std::span<const Nominee> nominated(std::size_t i) const {
    return std::span(nominations_)
        .subspan(first_nomination_[i], first_nomination_[i + 1] - first_nomination_[i]);
  }

  // The postings of the store behind seq `after`, some of them. Valid until the next call.
  BucketSeqs go_on(const Bucket& bucket, Seq after);

  // Fetches rows that are likely to be asked for, in one call of the store.
  void fetch_rows(std::span<const Seq> seqs);

  DocumentRows& rows() { return rows_; }
  Nominator& nominator() { return nominator_; }
  SketchCache& sketches() { return sketches_; }
  Candidate candidate(Seq seq) {
    const std::uint64_t* sketch = sketches_.find(seq);
    return {seq, sketch == nullptr ? store_.one_bit(seq) : nullptr, sketch};
  }
  std::uint64_t postings() const { return postings_; }
  // Since the start; verify is not known here.
  const ResolveTimes& times() const { return times_; }
  // Since the last call.
  BucketSizes take_bucket_sizes() { return std::exchange(bucket_sizes_, {}); }

 private:
  void look_up_ids(const SketchedBatch& chunk);
  void look_up_buckets(const SketchedBatch& chunk);
  void nominate(const SketchedBatch& chunk);
  void list_candidates(std::size_t i);
  void prefetch_candidates(std::size_t i);
  void count_size(std::size_t size);
  void fetch_rows(const SketchedBatch& chunk);
  void want(const Nominee& nominee);
  void want_first(const SketchedBatch& chunk);
  void want_rivals(const SketchedBatch& chunk);
  BucketSeqs list(std::size_t place) const {
    const std::uint32_t at = places_[place];
    return at == kFull ? BucketSeqs{{}, true} : BucketSeqs{lists_.seqs(at), lists_.more(at)};
  }
  void ask_for_bands(const SketchedBatch& chunk, std::size_t i);
  void ask_for(const Bucket& bucket) {
    places_.push_back(static_cast<std::uint32_t>(buckets_.size()));
    buckets_.push_back(bucket);
  }

  static constexpr std::uint32_t kFull = ~std::uint32_t{0};

  Store& store_;
  std::uint32_t bands_;
  std::uint32_t cap_;
  const SketchComparer& comparer_;
  OneBitFilter& filter_;
  CappedBucketCache& capped_buckets_;
  RowsOf rows_of_;
  SketchCache sketches_;
  DocumentRows rows_;
  Nominator nominator_;
  std::vector<IdKey> keys_;
  std::vector<std::optional<IdRow>> ids_;
  std::vector<Bucket> buckets_;
  std::vector<std::uint32_t> places_;     // in lists_, of the buckets of all records; or kFull
  std::vector<std::size_t> first_place_;  // of each record: in places_
  PostingLists lists_;
  PostingLists next_;
  std::vector<Nominee> nominations_;
  SeqSieve sieve_;
  std::vector<Candidate> candidates_;  // of the record at hand
  std::vector<std::size_t> first_nomination_;
  std::vector<Seq> wanted_;
  std::uint64_t postings_ = 0;
  BucketSizes bucket_sizes_;
  ResolveTimes times_;
};

}  // namespace neardup
