#include "service/search/service_searches.h"

#include "service/search/engines.h"

namespace neardup {
namespace {

std::unique_ptr<IndexKeeper> keep_keywords(Store& store, const Rule& rule, const Config& config,
                                           Log& log) {
  if (config.search.index == KeywordIndexMode::kOff) return nullptr;
  auto index = keep_keyword_index(config.search, config.storage.path, store, rule);
  return std::make_unique<IndexKeeper>(store, std::move(index), [&log](const auto& error) {
    log.warning("index of keywords behind", {{"reason", error}});
  });
}

}  // namespace

ServiceSearches::ServiceSearches(Store& store, const Rule& rule, const Config& config,
                                 Control& control, Log& log)
    : keeper_(keep_keywords(store, rule, config, log)),
      search_(
          store, rule, config, keeper_ ? keeper_->index() : nullptr,
          [&log](const std::string& failure) {
            log.warning("searching on the CPU: the GPU has failed", {{"reason", failure}});
          },
          [&control](const auto& work) { control.read_state([&](StateAccess&) { work(); }); }),
      answer_([this](const std::string& request) { return search_.answer(request); }),
      open_(control.searches(), answer_) {}

}  // namespace neardup
