// All that a running service needs to answer searches: its index of keywords, kept up to date if
// the configuration wants one, and the engines.
#pragma once

#include <memory>

#include "config/config.h"
#include "pipeline/rule/rule.h"
#include "service/control/control.h"
#include "service/log/log.h"
#include "service/search/index_keeper.h"
#include "service/search/service_search.h"
#include "storage/store.h"

namespace neardup {

class ServiceSearches {
 public:
  // Opens control.searches(); what needs the owner of the store waits in control.reads(). The
  // references must outlive this. Requires: the caller owns the store, and has set its index.
  // Throws as the engines.
  ServiceSearches(Store& store, const Rule& rule, const Config& config, Control& control, Log& log);

 private:
  std::unique_ptr<IndexKeeper> keeper_;  // null: there is no index
  ServiceSearch search_;
  const SearchAnswer answer_;
  OpenShared<const SearchAnswer> open_;
};

}  // namespace neardup
