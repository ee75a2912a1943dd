#include "storage/store.h"

#include <array>

#include "pipeline/core/failure.h"
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

void destroy_state(const std::string& path) { destroy_rocksdb_state(path); }

}  // namespace neardup
