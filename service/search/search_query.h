// A query for similar documents that owns what it refers to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/backend.h"
#include "pipeline/model/sketched_batch.h"
#include "pipeline/search/similar.h"
#include "storage/store.h"

namespace neardup {

struct SearchQuery {
  std::string name_space;
  std::vector<std::uint64_t> sketch;
  std::vector<std::uint64_t> one_bit;
  std::uint32_t distinct_shingles = 0;
  Seq except = 0;

  // Refers to this.
  SimilarQuery view() const;
};

struct QueryOrError {
  std::optional<SearchQuery> query;
  std::string error;  // without a query: a sentence that says what to do
};

// Asks about the version of a stored id that Store::find_id gave, which is no hit itself. An error
// when the view has no sketch of it. Any thread.
QueryOrError query_of_id(const IdKey& key, const std::optional<IdRow>& row, const SketchView& view,
                         const SketchPlan& plan);

// Asks about a record of the batch, in the namespace `name_space`. An error when it has no sketch.
QueryOrError query_of_record(const SketchedBatch& batch, std::size_t i,
                             const std::string& name_space, const Rule& rule);

}  // namespace neardup
