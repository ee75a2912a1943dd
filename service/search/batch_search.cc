#include "service/search/batch_search.h"

#include <utility>

namespace neardup {

BatchSearch::BatchSearch(Store& store, const Rule& rule, const SimilarSearch& search,
                         const SimilarOptions& options, std::string name_space)
    : store_(store),
      rule_(rule),
      search_(search),
      options_(options),
      name_space_(std::move(name_space)) {}

std::vector<SearchReply> BatchSearch::replies(const SketchedBatch& batch) {
  const auto searched = [&](std::size_t i) -> const std::string& {
    const std::string& named = batch.records[i].name_space;
    return named.empty() ? name_space_ : named;
  };
  const auto asks_for_id = [&](std::size_t i) {
    return batch.records[i].reason == RejectReason::kMissingText && batch.records[i].has_id;
  };
  // Ids first, so that the view has their documents.
  std::vector<std::optional<IdRow>> ids(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (asks_for_id(i)) ids[i] = store_.find_id({searched(i), batch.records[i].id});
  }
  const auto view = store_.sketches();
  std::vector<QueryOrError> queries;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    queries.push_back(
        asks_for_id(i) ? query_of_id({searched(i), batch.records[i].id}, ids[i], *view, rule_.plan)
                       : query_of_record(batch, i, searched(i), rule_));
  }
  return answered(*view, std::move(queries));
}

SearchReply BatchSearch::reply(const std::string& id) {
  const IdKey key{name_space_, id};
  const std::optional<IdRow> row = store_.find_id(key);
  const auto view = store_.sketches();
  std::vector<QueryOrError> query;
  query.push_back(query_of_id(key, row, *view, rule_.plan));
  return std::move(answered(*view, std::move(query)).front());
}

std::vector<SearchReply> BatchSearch::answered(const SketchView& view,
                                               std::vector<QueryOrError> queries) {
  std::vector<SimilarQuery> asked;
  for (const QueryOrError& query : queries) {
    if (query.query) asked.push_back(query.query->view());
  }
  auto answers = search_.answer(view, asked, options_);
  std::vector<SearchReply> replies;
  auto answer = answers.begin();
  for (QueryOrError& query : queries) {
    if (query.query) {
      replies.push_back({std::move(*answer++), {}});
    } else {
      replies.push_back({{}, std::move(query.error)});
    }
  }
  return replies;
}

}  // namespace neardup
