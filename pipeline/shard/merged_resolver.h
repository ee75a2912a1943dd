// Decides the records of a stream in the order of their seqs, from the answers of all shards. It
// stores nothing: what it has decided and shards do not know yet is in its window, and the ages for
// retention are in memory.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "pipeline/judge.h"
#include "pipeline/model/flag.h"
#include "pipeline/model/sketched_batch.h"
#include "pipeline/retention/retention.h"
#include "pipeline/retention/tombstones.h"
#include "pipeline/rule/rule.h"
#include "pipeline/shard/age_log.h"
#include "pipeline/shard/effect.h"
#include "pipeline/shard/merged_documents.h"
#include "pipeline/shard/window.h"

namespace neardup {

class MergedResolver : private EndedVersions {
 public:
  // Where it begins. ages: of all documents and ids from the watermark on that are live, by
  // ascending seqs; only needed where retention has an age or bytes.
  struct Start {
    Judge::Place place;
    Seq watermark = 0;
    std::vector<Age> ages = {};
  };
  struct Decision {
    Flag flag;
    Effect effect;
  };

  MergedResolver(const Rule& rule, const CpuOptions& cpu, const Start& start);

  // Answers as of this record or a later one can be used. It moves up as decisions are made from
  // later answers: an answer about a later record must not be older than all of these.
  Seq base() const { return window_.base(); }
  // The last record that was decided.
  Seq decided() const { return judge_.place().next_seq - 1; }
  const StreamTime& time() const { return judge_.place().time; }
  // Documents of smaller seqs have expired. After a record that could not be decided: for that
  // record already, and shards must learn it before they answer again.
  Seq watermark() const { return tombstones_.expired_before(); }

  // The chunk whose records are decided next. It must outlive these decisions.
  void prepare(const SketchedBatch& chunk) { known_.prepare(chunk), chunk_ = &chunk; }
  // Decides record i of it, the next one. `answers`: of each shard that may have documents, as of
  // `base` or later. Nothing: they are not enough, and nothing has changed. Then shards have to
  // answer again, as of the last decision and this watermark; see `ask_again`.
  std::optional<Decision> decide(std::size_t i, std::span<const ShardAnswer> answers);

  // From now on answers are as of the last decision.
  void ask_again() { window_.restart(decided()); }

  // The decisions so far are known to all, and need not be taken back.
  void committed();

 private:
  struct Ended {
    IdRow version;
    bool is_deleted = false;
  };

  void replaced(const IdKey& key, const IdRow& version) override;
  void deleted(const IdKey& key, const IdRow& version) override;
  Effect apply(std::size_t i, const Flag& flag);
  void apply_end(const IdKey& key);

  Tombstones tombstones_;
  AgeLog ages_;
  Retention retention_;
  Window window_;
  MergedDocuments known_;
  Judge judge_;
  const SketchedBatch* chunk_ = nullptr;
  std::optional<Ended> ended_;  // by the record that is being decided
};

}  // namespace neardup
