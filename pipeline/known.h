// The interface through which the decision about a record reads earlier documents.
// LocalDocuments implements it over the store of this process, MergedDocuments over the answers of
// shards.
#pragma once

#include <cstddef>
#include <optional>

#include "pipeline/model/flag.h"
#include "pipeline/model/sketched_batch.h"
#include "storage/store.h"

namespace neardup {

// Answers reflect all changes that the batch has made so far. A question changes no later answer,
// so records that will not be stored may be asked about, too.
class KnownDocuments {
 public:
  virtual ~KnownDocuments() = default;

  // The current version of the id of record i of the chunk that is being decided. Nothing: the id
  // was never flagged, or was deleted, or has expired.
  virtual std::optional<IdRow> version(std::size_t i) = 0;

  // The live document of the smallest seq that has the normalised text and namespace of record i.
  // Requires: record i is a document.
  virtual std::optional<Original> same_content(std::size_t i) = 0;

  // The most similar live document that shares a counted bucket with record i and passes the
  // verification of the rule; ties go to the smaller seq. Requires: record i has a sketch.
  virtual std::optional<Original> best_original(std::size_t i) = 0;

  // The estimated similarity of record i and a stored version of its id. Nothing: one of the two
  // has no sketch.
  virtual std::optional<Ppm> similarity(std::size_t i, const IdRow& version) = 0;
};

}  // namespace neardup
