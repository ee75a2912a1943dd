// The rules: the one place where records are decided, one after another in the order of their seqs.
//
// What a decision asks about earlier documents comes from KnownDocuments, and what it ends goes to
// EndedVersions, so the rules do not depend on where documents are stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "pipeline/known.h"
#include "pipeline/model/flag.h"
#include "pipeline/model/sketched_batch.h"
#include "pipeline/retention/retention.h"
#include "pipeline/retention/stream_time.h"
#include "pipeline/rule/rule.h"
#include "storage/store.h"

namespace neardup {

// Learns which versions end, before the next question to KnownDocuments. From then on their
// documents are no longer known.
class EndedVersions {
 public:
  // `version`, the current one of the id, is replaced by the record that is being decided.
  virtual void replaced(const IdKey& key, const IdRow& version) = 0;
  // It is deleted, with the id.
  virtual void deleted(const IdKey& key, const IdRow& version) = 0;

 protected:
  ~EndedVersions() = default;
};

class Judge {
 public:
  // Where the decisions are in the stream.
  struct Place {
    Seq next_seq = 1;
    StreamTime time;
  };

  // The references must outlive this. `retention` is advanced before each decision.
  Judge(const Rule& rule, const Place& place, KnownDocuments& known, Retention& retention,
        EndedVersions& ended)
      : decision_(rule.decision),
        place_(place),
        known_(known),
        retention_(retention),
        ended_(ended) {}

  // Decides record i of the prepared chunk as the next one.
  Flag decide(const SketchedBatch& chunk, std::size_t i);

  // The version that record i leaves behind, once it has been decided; nothing: none.
  std::optional<IdRow> version_of(const SketchedBatch& chunk, std::size_t i,
                                  const Flag& flag) const;

  const Place& place() const { return place_; }
  // Undoes what decisions have changed here since it was at `place`.
  void go_back(const Place& place) { place_ = place; }

 private:
  void decide_delete(const SketchedBatch& chunk, std::size_t i, Flag& flag);
  void decide_document(const SketchedBatch& chunk, std::size_t i, Flag& flag);
  Status choose_status(const SketchedBatch& chunk, std::size_t i, Flag& flag);

  DecisionOptions decision_;
  Place place_;
  KnownDocuments& known_;
  Retention& retention_;
  EndedVersions& ended_;
};

}  // namespace neardup
