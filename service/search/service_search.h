// The answers of a running service to requests for similar documents, beside the thread that
// decides.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "service/search/search_answers.h"
#include "storage/similar/keyword_index.h"

namespace neardup {

class ServiceSearch {
 public:
  // `index`: that which the service keeps, or null. The device of similar.memory, if there is one,
  // is for the engine of `auto`. `on_device_failure` as SearchMachine. `by_owner` calls work in the
  // thread that owns the store, which `lsh` needs. The references must outlive this. Requires: the
  // caller owns the store, and has set its index. Throws as the engines.
  ServiceSearch(Store& store, const Rule& rule, const Config& config,
                std::shared_ptr<KeywordIndex> index,
                std::function<void(const std::string&)> on_device_failure,
                SearchAnswers::Runner by_owner);

  // The answer to the body of a request. Any thread but the owner's. Throws as parse_request,
  // SearchAnswers and `by_owner`, and Failure(kConfig) for an engine that the service does not
  // have.
  std::string answer(const std::string& body) const;

 private:
  const SearchEngine& engine(EngineName asked) const;
  std::string answer_by_owner(const SearchRequest& request) const;

  SearchAnswers answers_;
  SearchAnswers::Runner by_owner_;
  std::unique_ptr<SearchEngine> scan_;
  std::unique_ptr<SearchEngine> by_keywords_;  // null: the service keeps no index
  std::unique_ptr<SearchEngine> lsh_;
};

}  // namespace neardup
