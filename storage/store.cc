#include "storage/store.h"

#include <xxhash.h>

#include <array>

#include "pipeline/core/failure.h"
#include "storage/identity.h"
#include "storage/memory_store.h"
#include "storage/rocksdb_store.h"

namespace neardup {
namespace {

struct StoreEntry {
  StoreName name;
  std::unique_ptr<Store> (*open)(const StorageOptions& options, OpenMode mode);
};

// Every store there is. A new one is a file pair and a line here.
constexpr std::array kStores = {
    StoreEntry{StoreName::kRocksdb, open_rocksdb_store},
    StoreEntry{StoreName::kMemory, open_memory_store},
};

}  // namespace

Bucket content_bucket(const Hash128& content, std::string_view name_space) {
  const std::uint64_t of_namespace =
      name_space.empty() ? 0
                         : XXH3_64bits_withSeed(name_space.data(), name_space.size(), content.high);
  return {kContentBand, content.low ^ of_namespace};
}

void WriteSet::clear() {
  erase_documents.clear();
  erase_ids.clear();
  expired_before = 0;
  documents.clear();
  ids.clear();
  meta.clear();
  erase_outbox.clear();
  outbox.clear();
}

std::unique_ptr<Store> open_store(const StorageOptions& options, OpenMode mode) {
  for (const StoreEntry& entry : kStores) {
    if (entry.name == options.store) return entry.open(options, mode);
  }
  throw Failure(Exit::kInternal, "a store of no known name was asked for");
}

bool has_current_format(Store& store) { return store.meta(kFormatKey) == current_format(); }

void destroy_state(const std::string& path) { destroy_rocksdb_state(path); }

}  // namespace neardup
