// The engine that a search uses, and the index of keywords that lies beside a state.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "config/service_options.h"
#include "gpu/options.h"
#include "pipeline/rule/rule.h"
#include "pipeline/search/engine.h"
#include "storage/similar/keyword_index.h"
#include "storage/store.h"

namespace neardup {

enum class IndexUse : std::uint8_t {
  kRead,  // nothing is written; what is missing is indexed in memory
  kKeep,  // the index is made, and kept up to date
};

// The index of keywords of the state in the directory `state`. With kRead it has as many keywords
// as it was made with.
std::shared_ptr<KeywordIndex> open_keyword_index(const std::string& state, Store& store,
                                                 const Rule& rule, std::uint32_t keywords,
                                                 IndexUse use);

// Brings the index of a state up to date, without documents that have ended. Does nothing where
// there is no index. Requires: no index was set in the store.
void compact_keyword_index(const std::string& state, Store& store);

// The engine for a state that is read. Throws Failure(kConfig) when this machine lacks cpu.simd.
std::unique_ptr<SearchEngine> open_engine(const SearchOptions& options, const std::string& state,
                                          Store& store, const Rule& rule, const CpuOptions& cpu);

}  // namespace neardup
