// The earlier documents of all shards: their answers, and on top of them what the window has
// changed. Since a document is created once, ends once and never changes, answers of different age
// give the same: of each counts what was created up to the base of the window and has not ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/cpu/compare.h"
#include "pipeline/known.h"
#include "pipeline/match/exact_sets.h"
#include "pipeline/match/scorer.h"
#include "pipeline/match/seen_seqs.h"
#include "pipeline/retention/tombstones.h"
#include "pipeline/rule/rule.h"
#include "pipeline/shard/answer.h"
#include "pipeline/shard/window.h"

namespace neardup {

// The answer of one shard about one record.
struct ShardAnswer {
  const Answer* answer = nullptr;
  const RecordAnswer* record = nullptr;
};

class MergedDocuments : public KnownDocuments {
 public:
  // The references must outlive this.
  MergedDocuments(const Rule& rule, const CpuOptions& cpu, Window& window,
                  const Tombstones& tombstones);

  // Questions are about one record from now on, of which all shards have answered. Requires: each
  // answer is as of the base of the window, or later.
  void ask(std::span<const ShardAnswer> answers);
  // Record i will be asked about soon.
  void prefetch_window(std::size_t i) const;
  // The older version of that record's id no longer counts.
  void hide(Seq version) { hidden_ = version; }
  // A list that was cut was too short for the record: what was said of it may be wrong.
  bool is_short() const { return is_short_; }

  void prepare(const SketchedBatch& chunk) { chunk_ = &chunk; }
  std::optional<IdRow> version(std::size_t i) override;
  std::optional<Original> same_content(std::size_t i) override;
  std::optional<Original> best_original(std::size_t i) override;
  std::optional<Ppm> similarity(std::size_t i, const IdRow& version) override;

  // Bytes of the normalised text of the version of the record's id.
  std::uint32_t text_bytes(const IdRow& version) const;

 private:
  struct Passing {
    PassingDocument document;
    const ShardAnswer* from = nullptr;  // null: the window
    const std::string* id = nullptr;
  };
  // The documents that count in one band.
  struct Counted {
    bool known = false;
    bool all = false;  // every document of the bucket
    std::vector<Seq> seqs;
  };

  bool is_live(Seq seq) const {
    return seq != hidden_ && !tombstones_.expired(seq) && !window_.ended(seq);
  }
  // Does the document of an answer count?
  bool counts(Seq seq) const { return seq <= window_.base() && is_live(seq); }
  // Does a list that was cut after `last` show all of the first documents up to `taken`?
  bool shows(Seq last, Seq taken) const {
    return last > window_.base() || (taken != 0 && taken <= last);
  }
  const CutList* list_of(const ShardAnswer& answer, std::uint32_t band) const;
  const DocumentRow* oldest_in_window(std::size_t i);
  void find_passing(std::size_t i, const Query& query);
  void list_window(std::size_t i, const Query& query);
  void count_cut_bands(std::size_t i, const Query& query);
  const Counted& counted(std::size_t i, const Query& query, std::uint32_t band);
  void count(std::size_t i, const Query& query, std::uint32_t band, Counted& counted);
  void count_window(std::size_t i, const Query& query, std::uint32_t band, Counted& counted);
  bool in_counted_bucket(std::size_t i, const Query& query, const Passing& passing);
  bool is_in_bucket(const DocumentRow& row, const Query& query, std::uint32_t band) const;
  bool is_listed(const Passing& passing, const Query& query, std::uint32_t band) const;

  std::uint32_t cap_;
  SketchComparer comparer_;
  Window& window_;
  const Tombstones& tombstones_;
  ExactSets sets_;
  Scorer scorer_;
  const SketchedBatch* chunk_ = nullptr;
  // Of the record that is asked about.
  std::span<const ShardAnswer> answers_;
  const AnsweredVersion* version_ = nullptr;
  Seq hidden_ = 0;
  bool is_short_ = false;
  IdKey key_;
  std::vector<Passing> passing_;
  std::vector<PassingDocument> scored_;
  std::vector<const DocumentRow*> listed_;
  SeenSeqs seen_;
  std::vector<Counted> counted_;  // of each band
};

}  // namespace neardup
