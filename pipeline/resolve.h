// Resolve: records are decided (pipeline/judge.h) over the store of this process, and what they
// change is collected for it. A decision sees the store with the changes of the current batch on
// top, so neither chunk nor batch sizes can change a flag.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/judge.h"
#include "pipeline/local_documents.h"
#include "pipeline/match/pending.h"
#include "pipeline/match/row_cache.h"
#include "pipeline/match/sketch_cache.h"
#include "pipeline/model/flag.h"
#include "pipeline/model/sketched_batch.h"
#include "pipeline/quality_check.h"
#include "pipeline/retention/due_deletes.h"
#include "pipeline/retention/retention.h"
#include "pipeline/retention/tombstones.h"
#include "pipeline/rule/rule.h"
#include "pipeline/stage_clock.h"
#include "storage/store.h"

namespace neardup {

class Resolver final : private EndedVersions {
 public:
  // Continues from the seq and stream time of the store. Throws Failure(kConfig) when the store has
  // another rule; an empty store takes this one.
  // Requires: the store has its index (Store::set_index) when the first record is decided.
  Resolver(const Rule& rule, const FilterOptions& filter, const CpuOptions& cpu,
           KeepTexts keep_texts, Store& store);

  // Offers pairs to `check`, which must outlive this.
  void watch_quality(QualityCheck& check);

  // From now on flags `unchanged` have the decision about the stored version.
  void tell_verdicts() { tells_verdicts_ = true; }

  // Reads from the store, on all threads, what deciding the next chunks needs. They must be of one
  // batch, and outlive their decisions; if texts are kept, until the batch is committed.
  void look_up(std::span<const SketchedBatch* const> chunks);
  // Decides every record of chunk n of those, and appends its flags. Each chunk once, in order.
  void resolve(std::size_t n, std::vector<Flag>& flags);
  // Both, for one chunk.
  void resolve(const SketchedBatch& chunk, std::vector<Flag>& flags);

  // Moves all changes of the batch into `writes`, for Store::commit.
  void fill(WriteSet& writes);

  // The store has the batch, of which `fill` has filled `writes`; a new one begins.
  void committed(const WriteSet& writes);

  // To be called between two batches, before a command erases these documents from the store.
  void ends(std::span<const Seq> documents);

  // Would a decision about record i of a chunk, which known().prepare has read, end a version of
  // its id?
  bool ends_version(const SketchedBatch& chunk, std::size_t i);

  // Decides record i of such a chunk as if it came next, and stores nothing. False: that has
  // changed what this would answer about other records. To be called for a resolver that resolves
  // nothing.
  bool check(const SketchedBatch& chunk, std::size_t i, Flag& flag);

  // For questions about records that are not stored. To be asked between two chunks.
  LocalDocuments& known() { return known_; }

  Seq next_seq() const { return judge_.place().next_seq; }
  std::int64_t stream_time_ms() const { return judge_.place().time.now_ms(); }
  std::uint64_t postings() const { return known_.postings_read(); }
  std::uint64_t caps_hit() const { return known_.caps_hit(); }
  std::uint64_t time_steps_cut() const { return judge_.place().time.steps_cut(); }
  const FilterCounts& filter_counts() const { return known_.filter_counts(); }
  const VerifyCounts& verify_counts() const { return known_.verify_counts(); }
  BucketSizes take_bucket_sizes() { return known_.take_bucket_sizes(); }
  ResolveTimes times() const { return {known_.lookup_time(), known_.filter_time(), verify_time_}; }

 private:
  Flag decide(const SketchedBatch& chunk, std::size_t i);
  void replaced(const IdKey& key, const IdRow& version) override;
  void deleted(const IdKey& key, const IdRow& version) override;
  Verdict verdict_of(const IdKey& key, const IdRow& version);
  void keep(const SketchedBatch& chunk, std::size_t i, const Flag& flag);
  void store_document(const SketchedBatch& chunk, std::size_t i, const IdRow& version);
  void delete_what_is_due();
  void keep_rows(const WriteSet& writes);

  KeepTexts keep_texts_;
  bool tells_verdicts_ = false;
  bool has_ended_versions_ = false;
  std::string rule_text_;
  Tombstones tombstones_;
  Retention retention_;
  Pending pending_;
  SketchCache sketches_;
  RowCache rows_;
  LocalDocuments known_;
  Judge judge_;
  DueDeletes due_deletes_;
  std::vector<Seq> wanted_again_;  // documents of the batch whose rows may soon be requested
  std::chrono::nanoseconds verify_time_{0};
  QualityCheck* quality_ = nullptr;
};

}  // namespace neardup
