// The answers to queries that come in chunks of records.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/prepare.h"
#include "pipeline/search/similar.h"
#include "service/search/search_query.h"
#include "storage/store.h"

namespace neardup {

struct SearchReply {
  std::optional<SimilarAnswer> answer;
  std::string error;  // without an answer: a sentence that says what to do
};

// The references must outlive this. Any thread may use one, once the owner of the store has called
// Store::sketches.
class BatchSearch {
 public:
  // `name_space`: of queries that name none.
  BatchSearch(Store& store, const Rule& rule, const SimilarSearch& search,
              const SimilarOptions& options, std::string name_space);

  // One reply a record, in their order: the text of a document is asked about, or the id of a
  // record that was rejected for its missing text (QueryDecoder).
  std::vector<SearchReply> replies(const SketchedBatch& batch);

  // The reply for one id.
  SearchReply reply(const std::string& id);

 private:
  std::vector<SearchReply> answered(const SketchView& view, std::vector<QueryOrError> queries);

  Store& store_;
  const Rule& rule_;
  const SimilarSearch& search_;
  SimilarOptions options_;
  std::string name_space_;
};

}  // namespace neardup
