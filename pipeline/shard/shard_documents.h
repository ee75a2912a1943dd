// The documents that one shard holds, and what it answers about the records of a chunk.
//
//   ChunkLookup → lists of live documents of each bucket → Scorer
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/cpu/compare.h"
#include "pipeline/base/team.h"
#include "pipeline/match/capped_bucket_cache.h"
#include "pipeline/match/capped_buckets.h"
#include "pipeline/match/chunk_lookup.h"
#include "pipeline/match/chunk_parts.h"
#include "pipeline/match/content_finder.h"
#include "pipeline/match/exact_sets.h"
#include "pipeline/match/live_rows.h"
#include "pipeline/match/pending.h"
#include "pipeline/match/row_cache.h"
#include "pipeline/match/scorer.h"
#include "pipeline/match/seen_seqs.h"
#include "pipeline/match/sketch_cache.h"
#include "pipeline/model/sketched_batch.h"
#include "pipeline/retention/tombstones.h"
#include "pipeline/rule/rule.h"
#include "pipeline/shard/answer.h"
#include "pipeline/shard/answer_builder.h"
#include "storage/store.h"

namespace neardup {

class ShardDocuments {
 public:
  // `slack`: by how much a list is longer than its limit. The references must outlive this.
  ShardDocuments(const Rule& rule, std::uint32_t slack, const FilterOptions& filter,
                 const CpuOptions& cpu, Store& store, Pending& pending, Tombstones& tombstones);

  // About the records of a chunk, of which the first has seq `first`. Requires: nothing is pending,
  // and the store is as of record `as_of`.
  Answer answer(const SketchedBatch& chunk, Seq first, Seq as_of);

  // Changes are in the store.
  void committed() { capped_bucket_cache_.committed(); }

 private:
  void fetch_rows(const SketchedBatch& chunk);
  void answer_version(const SketchedBatch& chunk, std::size_t i, AnswerBuilder& builder);
  void answer_content(const SketchedBatch& chunk, std::size_t i, AnswerBuilder& builder);
  void answer_bands(const SketchedBatch& chunk, std::size_t i, AnswerBuilder& builder);
  void list_members(const BucketSeqs& stored, const Bucket& bucket, const Query& query);
  void add_member(Seq seq, const DocumentRow& row);

  Team team_;
  std::uint32_t slack_;
  Tombstones& tombstones_;
  SketchComparer comparer_;
  SketchCache sketches_;
  RowCache rows_;
  ExactSets sets_;
  LiveRows live_;
  Scorer scorer_;
  CappedBucketCache capped_bucket_cache_;
  ChunkParts parts_;  // of the chunk that is being answered
  ChunkLookup lookup_;
  ContentFinder content_;
  CappedBuckets capped_buckets_;
  // Of the record that is being answered.
  std::vector<const DocumentRow*> same_;
  CutList members_;
  SeenSeqs seen_;
  std::vector<const DocumentRow*> listed_;
  std::vector<PassingDocument> passing_;
  std::vector<Seq> wanted_;
};

}  // namespace neardup
