#include "service/search/batch_search.h"

#include <utility>

namespace neardup {
namespace {

QueryOrError query_of(const SketchedBatch& batch, std::size_t i, const std::string& name_space,
                      Store& store, const Rule& rule) {
  const Record& record = batch.records[i];
  const std::string& searched = record.name_space.empty() ? name_space : record.name_space;
  const bool asks_for_id = record.reason == RejectReason::kMissingText && record.has_id;
  return asks_for_id ? query_of_id({searched, record.id}, store, rule.plan)
                     : query_of_record(batch, i, searched, rule);
}

}  // namespace

BatchSearch::BatchSearch(Store& store, const Rule& rule, const SimilarSearch& search,
                         const SimilarOptions& options, std::string name_space)
    : store_(store),
      rule_(rule),
      search_(search),
      options_(options),
      name_space_(std::move(name_space)) {}

std::vector<SearchReply> BatchSearch::replies(const SketchedBatch& batch) {
  std::vector<QueryOrError> queries;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    queries.push_back(query_of(batch, i, name_space_, store_, rule_));
  }
  return answered(std::move(queries));
}

SearchReply BatchSearch::reply(const std::string& id) {
  std::vector<QueryOrError> query;
  query.push_back(query_of_id({name_space_, id}, store_, rule_.plan));
  return std::move(answered(std::move(query)).front());
}

std::vector<SearchReply> BatchSearch::answered(std::vector<QueryOrError> queries) {
  std::vector<SimilarQuery> views;
  for (const QueryOrError& asked : queries) {
    if (asked.query) views.push_back(asked.query->view());
  }
  auto answers = search_.answer(*store_.sketches(), views, options_);
  std::vector<SearchReply> replies;
  auto answer = answers.begin();
  for (QueryOrError& asked : queries) {
    if (asked.query) {
      replies.push_back({std::move(*answer++), {}});
    } else {
      replies.push_back({{}, std::move(asked.error)});
    }
  }
  return replies;
}

}  // namespace neardup
