#include "service/search/engines.h"

#include <xxhash.h>

#include "pipeline/rule/index_entry.h"
#include "pipeline/search/match_engine.h"
#include "pipeline/search/scan_engine.h"
#include "pipeline/state_keys.h"
#include "storage/identity.h"

namespace neardup {
namespace {

// Of the state and of all that its keywords depend on.
std::uint64_t identity_of(Store& store, const Rule& rule) {
  const std::string text = store.meta(kUuidKey).value_or("") + rule_text(rule);
  return XXH3_64bits(text.data(), text.size());
}

}  // namespace

std::shared_ptr<KeywordIndex> open_keyword_index(const std::string& state, Store& store,
                                                 const Rule& rule, std::uint32_t keywords,
                                                 IndexUse use) {
  KeywordIndexOptions options;
  options.directory = keyword_index_directory(state);
  options.read_only = use == IndexUse::kRead;
  options.identity = identity_of(store, rule);
  const Keywords of_sketch(rule.plan.shape(), keywords);
  options.keywords = of_sketch.count();
  return std::make_shared<KeywordIndex>(options, keyword_maker(of_sketch));
}

void compact_keyword_index(const std::string& state, Store& store) {
  const std::uint32_t keywords = stored_keywords(keyword_index_directory(state)).keywords;
  if (keywords == 0) return;
  const Rule rule = stored_rule(store);
  store.set_index(IndexEntryMaker(rule.plan));
  const auto index = open_keyword_index(state, store, rule, keywords, IndexUse::kKeep);
  const auto view = store.sketches();
  index->follow(*view);
  index->compact(*view);
}

std::unique_ptr<SearchEngine> open_engine(const SearchOptions& options, const std::string& state,
                                          Store& store, const Rule& rule, const CpuOptions& cpu) {
  const std::uint32_t stored = stored_keywords(keyword_index_directory(state)).keywords;
  const bool matches =
      options.engine == EngineName::kMatch || (options.engine == EngineName::kAuto && stored != 0);
  if (!matches) return make_scan_engine(rule.plan.shape(), cpu);
  const MatchOptions match{stored != 0 ? stored : options.keywords};
  return make_match_engine(rule.plan.shape(), match,
                           open_keyword_index(state, store, rule, match.keywords, IndexUse::kRead),
                           cpu);
}

}  // namespace neardup
