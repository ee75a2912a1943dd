// Settings of the store. None of them changes a flag, except `keep_texts`, which exact verification
// needs.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "pipeline/base/enum_name.h"

namespace neardup {

enum class StoreName : std::uint8_t { kRocksdb, kMemory };
inline constexpr std::array<std::string_view, 2> kStoreNameNames{"rocksdb", "memory"};
constexpr std::span<const std::string_view> names(StoreName) { return kStoreNameNames; }

// Which documents' texts the store keeps.
enum class KeepTexts : std::uint8_t { kNone, kKept, kAll };
inline constexpr std::array<std::string_view, 3> kKeepTextsNames{"none", "kept", "all"};
constexpr std::span<const std::string_view> names(KeepTexts) { return kKeepTextsNames; }

struct StorageOptions {
  StoreName store = StoreName::kRocksdb;
  std::string path;                               // directory of the state
  std::uint64_t memory = std::uint64_t{2} << 30;  // bytes, see memory_plan.h
  std::uint64_t expected_documents = 10'000'000;  // sets the minimum of rows in a band
  KeepTexts keep_texts = KeepTexts::kNone;        // zstd-compressed
  bool temporary = false;                         // no log and no sync: lost with the process
  unsigned threads = 1;     // that share a commit; 0: one a core (cpu.threads)
  bool statistics = false;  // RocksDB counts what it does, for Store::stats
};

}  // namespace neardup
