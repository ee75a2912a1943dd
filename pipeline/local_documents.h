// The earlier documents of this process: those in its store, and on top of them what the current
// batch has changed. The candidate path of a chunk begins and ends here:
//
//   prepare(chunks)      ChunkLookup → CandidateFinder::prepare → RowPrefetch; GroupBuckets
//   same_content(i)      ContentFinder
//   best_original(i)     CandidateFinder::find → Verifier
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/cpu/compare.h"
#include "pipeline/base/team.h"
#include "pipeline/known.h"
#include "pipeline/match/candidate_finder.h"
#include "pipeline/match/capped_bucket_cache.h"
#include "pipeline/match/capped_buckets.h"
#include "pipeline/match/chunk_lookup.h"
#include "pipeline/match/chunk_parts.h"
#include "pipeline/match/content_finder.h"
#include "pipeline/match/exact_sets.h"
#include "pipeline/match/group_buckets.h"
#include "pipeline/match/live_rows.h"
#include "pipeline/match/pending.h"
#include "pipeline/match/prefilter.h"
#include "pipeline/match/row_cache.h"
#include "pipeline/match/row_prefetch.h"
#include "pipeline/match/sketch_cache.h"
#include "pipeline/match/verifier.h"
#include "pipeline/quality_check.h"
#include "pipeline/retention/tombstones.h"
#include "pipeline/rule/rule.h"
#include "pipeline/stage_clock.h"
#include "storage/store.h"

namespace neardup {

class LocalDocuments : public KnownDocuments {
 public:
  // `store`, `pending`, `tombstones` and the caches must outlive this; the other arguments are
  // copied.
  LocalDocuments(const Rule& rule, const FilterOptions& filter, const CpuOptions& cpu, Store& store,
                 Pending& pending, Tombstones& tombstones, SketchCache& sketches, RowCache& rows);

  // Offers pairs to `check`, which must outlive this.
  void watch_quality(QualityCheck& check) { quality_ = &check; }

  // Reads in bulk, on all threads, what the answers about the records of `chunks` need from the
  // store. The chunks must outlive the questions about them.
  void prepare(std::span<const SketchedBatch* const> chunks);
  // The questions that follow are about chunk n of those.
  void select(std::size_t n);
  const SketchedBatch& chunk() const { return *chunk_; }
  // Where record i of it is put, if it is kept.
  const GroupBuckets& buckets() const { return buckets_; }
  // Prepares and selects one chunk.
  void prepare(const SketchedBatch& chunk);

  std::optional<IdRow> version(std::size_t i) override;
  std::optional<Original> same_content(std::size_t i) override;
  std::optional<Original> best_original(std::size_t i) override;
  std::optional<Ppm> similarity(std::size_t i, const IdRow& version) override;

  // The current version of any id.
  std::optional<IdRow> version(const IdKey& key);
  // The id of a live document of the namespace.
  std::optional<std::string> id_of(Seq document, std::string_view name_space);
  // Bytes of the normalised text of a stored version; 0 when it has no document.
  std::uint32_t text_bytes(const IdKey& key, const IdRow& version);

  // The batch, which has put these documents, is in the store.
  void committed(std::span<const DocumentPut> documents) {
    sketches_.put_all(documents, team_);
    capped_bucket_cache_.committed();
  }

  // Since the start.
  std::uint64_t postings_read() const { return lookup_.postings_read(); }
  std::uint64_t caps_hit() const { return capped_buckets_.caps_hit(); }
  const FilterCounts& filter_counts() const { return finder_.filter_counts(); }
  const VerifyCounts& verify_counts() const { return verifier_.counts(); }
  std::chrono::nanoseconds lookup_time() const { return lookup_time_; }
  std::chrono::nanoseconds filter_time() const { return filter_time_; }
  // Since the last call.
  BucketSizes take_bucket_sizes() { return finder_.take_bucket_sizes(); }

 private:
  void prefetch_rows();
  std::optional<IdRow> current(const IdKey& key, const std::optional<IdRow>& stored) const;
  void offer_pair(const Query& query, const std::optional<Original>& original,
                  const CandidateList& candidates);

  Team team_;
  const Pending& pending_;
  const Tombstones& tombstones_;
  SketchCache& sketches_;
  RowCache& rows_;
  SketchComparer comparer_;
  ExactSets sets_;
  LiveRows live_;
  Verifier verifier_;
  Prefilter prefilter_;
  CappedBucketCache capped_bucket_cache_;
  ChunkLookup lookup_;
  ContentFinder content_;
  CappedBuckets capped_buckets_;
  GroupBuckets buckets_;
  CandidateFinder finder_;
  RowPrefetch prefetch_;
  std::vector<const SketchedBatch*> chunks_;  // the prepared ones
  ChunkParts parts_;                          // of them
  const SketchedBatch* chunk_ = nullptr;      // the selected one
  QualityCheck* quality_ = nullptr;
  std::chrono::nanoseconds lookup_time_{0};
  std::chrono::nanoseconds filter_time_{0};
};

}  // namespace neardup
