// Resolve: the one place where documents are decided, one after another in the order of their seq.
// Decisions see the store, and on top of it what the batch at hand has changed so far; so neither
// chunk nor batch sizes can change a flag.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/core/flag.h"
#include "pipeline/core/sketched_batch.h"
#include "pipeline/match/candidate_finder.h"
#include "pipeline/match/chunk_lookup.h"
#include "pipeline/match/pending.h"
#include "pipeline/match/verifier.h"
#include "pipeline/quality_check.h"
#include "pipeline/retention/due_deletes.h"
#include "pipeline/retention/retention.h"
#include "pipeline/retention/stream_time.h"
#include "pipeline/retention/tombstones.h"
#include "pipeline/rule/rule.h"
#include "storage/store.h"

namespace neardup {

class Resolver {
 public:
  // Goes on from the seq and stream time of the store. Throws Failure(kConfig) when the store was
  // made under another rule; an empty store takes this one. `keep_texts`: the writes carry texts.
  Resolver(const Rule& rule, const FilterOptions& filter, const CpuOptions& cpu, bool keep_texts,
           Store& store);

  // Offers pairs to `check`, which must outlive this.
  void watch_quality(QualityCheck& check) { quality_ = &check; }

  // Decides every record of the chunk and appends its flags. Several chunks make a batch. With
  // `keep_texts`, `chunk` must live until the batch is committed.
  void resolve(const SketchedBatch& chunk, std::vector<Flag>& flags);

  // All changes of the batch, for Store::commit.
  void fill(WriteSet& writes);

  // The batch is in the store; a new one begins. Takes rows that may soon be asked for out of what
  // `fill` had filled.
  void committed(WriteSet& writes);

  // Between two batches: a command is about to erase these documents of the store.
  void ends(std::span<const Seq> documents);

  Seq next_seq() const { return next_seq_; }
  std::int64_t stream_time_ms() const { return time_.now_ms(); }
  std::uint64_t postings() const { return look_up_.postings(); }
  std::uint64_t caps_hit() const { return candidates_.caps_hit(); }
  std::uint64_t time_steps_cut() const { return time_.steps_cut(); }
  const FilterCounts& filter_counts() const { return filter_.counts(); }
  const VerifyCounts& verify_counts() const { return verifier_.counts(); }
  BucketSizes take_bucket_sizes() { return look_up_.take_bucket_sizes(); }
  ResolveTimes times() const {
    return {look_up_.times().lookup, look_up_.times().filter, verify_time_};
  }

 private:
  // One document on its way through the rules.
  struct Arrival {
    const SketchedBatch& chunk;
    std::size_t i;
    Query query;
    bool has_sketch;
    const Record& record() const { return chunk.records[i]; }
    const Hash128& content() const { return chunk.content[i]; }
  };

  Flag decide(const SketchedBatch& chunk, std::size_t i);
  void decide_delete(std::size_t i, Flag& flag);
  void decide_document(const Arrival& arrival, Flag& flag);
  Status choose_status(const Arrival& arrival, Flag& flag);
  void store_document(const Arrival& arrival, Seq seq);
  void store_id(const Arrival& arrival, const Flag& flag, bool has_document);
  Previous compare_versions(const Arrival& arrival, const IdRow& row);
  void end_version(const IdKey& key, const std::optional<IdRow>& stored, const IdRow& row);
  void end_document(Seq seq, const DocumentRow* row, ErasedBy erased_by);
  void delete_what_is_due();
  void delete_by_command(const IdKey& key);
  std::optional<IdRow> current_version(std::size_t i) const;
  void keep_rows(WriteSet& writes);
  void offer_pair(const Arrival& arrival, const Flag& flag, std::span<const Nominee> nominees);
  Arrival make_arrival(const SketchedBatch& chunk, std::size_t i) const;
  void advance(Seq seq, const Record& record);

  Rule rule_;
  bool keep_texts_;
  std::string rule_text_;
  Store& store_;
  Seq next_seq_ = 1;
  StreamTime time_;
  Tombstones tombstones_;
  Retention retention_;
  Pending pending_;
  ExactSets sets_;
  Verifier verifier_;
  OneBitFilter filter_;
  CappedBucketCache capped_buckets_;
  LookUp look_up_;
  Candidates candidates_;
  DueDeletes due_deletes_;
  std::vector<Seq> wanted_again_;  // documents of the batch whose rows may soon be asked for
  std::chrono::nanoseconds verify_time_{0};
  QualityCheck* quality_ = nullptr;
};

}  // namespace neardup
