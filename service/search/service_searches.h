// The searches of a running service: its index of keywords, kept up to date if the configuration
// wants one, the engines, and the answers, which are made concurrently with the deciding thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "config/config.h"
#include "pipeline/rule/rule.h"
#include "service/control/control.h"
#include "service/control/shared.h"
#include "service/log/log.h"
#include "service/search/index_keeper.h"
#include "service/search/search_answers.h"
#include "storage/similar/keyword_index.h"
#include "storage/store.h"

namespace neardup {

class ServiceSearch {
 public:
  // `index`: that which the service keeps, or null. The device of similar.memory, if there is one,
  // is for the engine of `auto`. `on_device_failure` as SearchMachine. `by_owner` calls work in the
  // thread that owns the store, which `lsh` needs. `notices` as SearchAnswers. The references must
  // outlive this. Requires: the caller owns the store, and has set its index. Throws as the
  // engines.
  ServiceSearch(Store& store, const Rule& rule, const Config& config,
                std::shared_ptr<KeywordIndex> index,
                std::function<void(const std::string&)> on_device_failure,
                SearchAnswers::Runner by_owner, NoticeSink notices);

  // Any thread but the owner's. Throws as SearchAnswers and `by_owner`, and Failure(kConfig) for an
  // engine that the service does not have.
  std::string answer(const SearchRequest& request) const;

 private:
  const SearchEngine& engine(EngineName asked) const;
  std::string answer_by_owner(const SearchRequest& request) const;

  SearchAnswers answers_;
  SearchAnswers::Runner by_owner_;
  std::unique_ptr<SearchEngine> scan_;
  std::unique_ptr<SearchEngine> by_keywords_;  // null: the service keeps no index
  std::unique_ptr<SearchEngine> lsh_;
};

class ServiceSearches {
 public:
  // Opens control.searches(); what needs the owner of the store waits in control.reads(). `notices`
  // as SearchAnswers. The references must outlive this. Requires: the caller owns the store, and
  // has set its index. Throws as the engines.
  ServiceSearches(Store& store, const Rule& rule, const Config& config, Control& control,
                  NoticeSink notices, Log& log);

 private:
  std::unique_ptr<IndexKeeper> keeper_;  // null: there is no index
  ServiceSearch search_;
  const SearchAnswer answer_;
  OpenShared<const SearchAnswer> open_;
};

}  // namespace neardup
