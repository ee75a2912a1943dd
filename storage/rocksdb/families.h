// The column families of a state and the tuning of RocksDB. Included within storage/ only.
#pragma once

#include <rocksdb/cache.h>
#include <rocksdb/db.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "storage/options.h"

namespace neardup {

// Column families. The names are stored.
enum class Family : std::size_t {
  kDefault,  // small values of the store itself: counts, retention, epoch, merge journal
  kMeta,     // small values by name
  kDocs,     // seq → document row
  kIds,      // seq → id row, where the document row does not imply it
  kIndex,    // generations of postings (storage/generation/format.h)
  kTexts,    // seq → compressed text
  kOutbox,   // batch number → bytes of the caller
  kBits,     // seq → packed 1-bit sketches from there on
  kEnded,    // seq → nothing: tombstones of documents and ids that may have postings
  kCopies,   // seq of an original, seq of a copy → nothing
};
inline constexpr std::array<const char*, 10> kFamilyNames = {
    "default", "meta", "docs", "ids", "index", "texts", "outbox", "bits", "ended", "copies"};

struct RocksdbOptions {
  rocksdb::DBOptions db;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;  // in the order of Family
  std::shared_ptr<rocksdb::Cache>
      cache;  // StorageOptions::memory: blocks, filters and write buffers
};

RocksdbOptions rocksdb_options(const StorageOptions& options);

}  // namespace neardup
