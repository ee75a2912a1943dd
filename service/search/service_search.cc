#include "service/search/service_search.h"

#include <fmt/core.h>

#include <utility>

#include "pipeline/core/failure.h"
#include "pipeline/search/keyword_engine.h"
#include "pipeline/search/scan_engine.h"
#include "service/search/engines.h"

namespace neardup {
namespace {

// A request takes one thread: the others are the decider's.
CpuOptions one_thread(const Config& config) { return {.threads = 1, .simd = config.cpu.simd}; }

}  // namespace

ServiceSearch::ServiceSearch(Store& store, const Rule& rule, const Config& config,
                             std::shared_ptr<KeywordIndex> index)
    : answers_(store, rule, config, one_thread(config)),
      scan_(make_scan_engine(rule.plan.shape(), one_thread(config))) {
  if (index) {
    const SketchShape shape = rule.plan.shape();
    by_keywords_ = make_keyword_engine(shape, indexed_search(config.search, shape),
                                       std::move(index), one_thread(config));
  }
  store.sketches();  // the first call is the owner's
}

const SearchEngine& ServiceSearch::engine(EngineName asked) const {
  if (asked == EngineName::kScan) return *scan_;
  if (asked == EngineName::kAuto) return by_keywords_ ? *by_keywords_ : *scan_;
  if (by_keywords_ && by_keywords_->name() == name(asked)) return *by_keywords_;
  throw Failure(Exit::kConfig, fmt::format("engine: the service keeps no index for {}: see "
                                           "similar.index",
                                           name(asked)));
}

std::string ServiceSearch::answer(const std::string& body) const {
  const SearchRequest request = parse_request(body);
  return answers_.answer(request, engine(request.engine));
}

}  // namespace neardup
