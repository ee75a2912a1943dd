// The engine that a search uses, and the keyword index of a state.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "config/service_options.h"
#include "gpu/options.h"
#include "gpu/search_devices.h"
#include "pipeline/rule/rule.h"
#include "pipeline/search/engine.h"
#include "pipeline/search/keyword_search.h"
#include "storage/similar/keyword_index.h"
#include "storage/store.h"

namespace neardup {

// The resources of engines.
struct SearchMachine {
  CpuOptions cpu;
  SearchDevice device;
  // Told of each failure of the device; the CPU searches then.
  std::function<void(const std::string&)> on_device_failure;
};

// Throw Failure(kConfig) when this machine lacks cpu.simd, or the device has too little memory.
std::unique_ptr<SearchEngine> scan_engine(const SketchShape& shape, const SearchMachine& machine);
std::unique_ptr<SearchEngine> keyword_engine(const SketchShape& shape, const KeywordSearch& search,
                                             std::shared_ptr<KeywordIndex> index,
                                             const SearchMachine& machine);

// The engine of the keyword index in the configuration.
KeywordSearch indexed_search(const SearchOptions& options, const SketchShape& shape);

// The index of keywords of the state in the directory `state`, which is made or kept up to date.
std::shared_ptr<KeywordIndex> keep_keyword_index(const SearchOptions& options,
                                                 const std::string& state, Store& store,
                                                 const Rule& rule);

// Brings the index of a state up to date, without documents that have ended. Does nothing where
// there is no index. Requires: the store was opened for reading, since the seed of its rule is not
// known here, and no index was set in it.
void compact_keyword_index(const std::string& state, Store& store);

// The engine for a state that is read. What is missing in its index of keywords is indexed in
// memory. `lsh` needs the rule with its seed. Throws as above.
std::unique_ptr<SearchEngine> open_engine(const SearchOptions& options, const std::string& state,
                                          Store& store, const Rule& rule,
                                          const SearchMachine& machine);

}  // namespace neardup
