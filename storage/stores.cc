#include "storage/stores.h"

#include <array>

#include "pipeline/base/failure.h"
#include "storage/identity.h"
#include "storage/memory_store.h"
#include "storage/rocksdb_store.h"

namespace neardup {
namespace {

struct StoreEntry {
  StoreName name;
  std::unique_ptr<Store> (*open)(const StorageOptions& options, OpenMode mode);
};

constexpr std::array kStores = {
    StoreEntry{StoreName::kRocksdb, open_rocksdb_store},
    StoreEntry{StoreName::kMemory, open_memory_store},
};

}  // namespace

std::unique_ptr<Store> open_store(const StorageOptions& options, OpenMode mode) {
  for (const StoreEntry& entry : kStores) {
    if (entry.name == options.store) return entry.open(options, mode);
  }
  throw Failure(Exit::kInternal, "the store has an unknown name");
}

bool has_current_format(Store& store) { return store.meta(kFormatKey) == current_format(); }

void destroy_state(const std::string& path) { destroy_rocksdb_state(path); }

}  // namespace neardup
