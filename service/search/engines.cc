#include "service/search/engines.h"

#include <xxhash.h>

#include <optional>
#include <utility>

#include "pipeline/rule/index_entry.h"
#include "pipeline/search/keyword_engine.h"
#include "pipeline/search/lsh_engine.h"
#include "pipeline/search/scan_engine.h"
#include "pipeline/state_keys.h"
#include "storage/identity.h"

namespace neardup {
namespace {

enum class IndexUse : std::uint8_t {
  kRead,  // nothing is written; what is missing is indexed in memory
  kKeep,  // the index is made, and kept up to date
};

// Of the state and of all that its keywords depend on.
std::uint64_t identity_of(Store& store, const Rule& rule) {
  const std::string text = store.meta(kUuidKey).value_or("") + rule_text(rule);
  return XXH3_64bits(text.data(), text.size());
}

// The search that the index of a state was made for.
KeywordSearch search_of(const SegmentKind& stored, const SketchShape& shape) {
  return stored.source == KeywordSource::kOneBit ? ewh_search(shape)
                                                 : match_search(shape, stored.keywords);
}

// The search by keywords of an engine, or nothing for one that uses none. `match` takes as many
// keywords as the index has.
std::optional<KeywordSearch> keyword_search(const SearchOptions& options,
                                            const StoredKeywords& stored,
                                            const SketchShape& shape) {
  const bool indexed = stored.segments != 0;
  switch (options.engine) {
    case EngineName::kAuto:
      if (indexed) return search_of(stored.kind, shape);
      return std::nullopt;
    case EngineName::kMatch:
      if (indexed && stored.kind.source == KeywordSource::kSketch) {
        return search_of(stored.kind, shape);
      }
      return match_search(shape, options.keywords);
    case EngineName::kEwh:
      return ewh_search(shape);
    case EngineName::kScan:
    case EngineName::kLsh:
      break;
  }
  return std::nullopt;
}

std::shared_ptr<KeywordIndex> open_index(const std::string& state, Store& store, const Rule& rule,
                                         const KeywordSearch& search, IndexUse use) {
  KeywordIndexOptions options;
  options.directory = keyword_index_directory(state);
  options.read_only = use == IndexUse::kRead;
  options.kind = {identity_of(store, rule), search.source, search.keywords.count()};
  return std::make_shared<KeywordIndex>(options, keyword_maker(rule.plan, search));
}

}  // namespace

std::unique_ptr<SearchEngine> scan_engine(const SketchShape& shape, const SearchMachine& machine) {
  std::unique_ptr<RetriedDevice<DeviceRows>> device;
  if (machine.device.memory != 0) {
    const auto make = [on = machine.device, words = shape.one_bit_words()] {
      return make_device_rows(on, words);
    };
    device = std::make_unique<RetriedDevice<DeviceRows>>(make, machine.on_device_failure);
  }
  return make_scan_engine(shape, machine.cpu, std::move(device));
}

std::unique_ptr<SearchEngine> keyword_engine(const SketchShape& shape, const KeywordSearch& search,
                                             std::shared_ptr<KeywordIndex> index,
                                             const SearchMachine& machine) {
  std::unique_ptr<RetriedDevice<DeviceSegments>> device;
  if (machine.device.memory != 0) {
    const auto make = [on = machine.device, words = shape.one_bit_words(),
                       probes = search.probes()] {
      return std::make_unique<DeviceSegments>(make_device_postings(on, words, probes), words);
    };
    device = std::make_unique<RetriedDevice<DeviceSegments>>(make, machine.on_device_failure);
  }
  return make_keyword_engine(shape, search, std::move(index), machine.cpu, std::move(device));
}

KeywordSearch indexed_search(const SearchOptions& options, const SketchShape& shape) {
  return options.engine == EngineName::kEwh ? ewh_search(shape)
                                            : match_search(shape, options.keywords);
}

std::shared_ptr<KeywordIndex> keep_keyword_index(const SearchOptions& options,
                                                 const std::string& state, Store& store,
                                                 const Rule& rule) {
  return open_index(state, store, rule, indexed_search(options, rule.plan.shape()),
                    IndexUse::kKeep);
}

void compact_keyword_index(const std::string& state, Store& store) {
  const StoredKeywords stored = stored_keywords(keyword_index_directory(state));
  if (stored.segments == 0) return;
  const Rule rule = stored_rule(store);
  store.set_index(IndexEntryMaker(rule.plan));
  const auto index =
      open_index(state, store, rule, search_of(stored.kind, rule.plan.shape()), IndexUse::kKeep);
  const auto view = store.sketches();
  index->follow(*view);
  index->compact(*view);
}

std::unique_ptr<SearchEngine> open_engine(const SearchOptions& options, const std::string& state,
                                          Store& store, const Rule& rule,
                                          const SearchMachine& machine) {
  const SketchShape shape = rule.plan.shape();
  if (options.engine == EngineName::kLsh) return make_lsh_engine(rule.plan, store, machine.cpu);
  const auto search =
      keyword_search(options, stored_keywords(keyword_index_directory(state)), shape);
  if (!search) return scan_engine(shape, machine);
  return keyword_engine(shape, *search, open_index(state, store, rule, *search, IndexUse::kRead),
                        machine);
}

}  // namespace neardup
