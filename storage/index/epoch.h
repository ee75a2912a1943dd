// Which generations are in use. An index can be rebuilt while the current one is in use, for other
// bands: its generations have the next epoch, and one small write makes that the current epoch.
#pragma once

#include <rocksdb/write_batch.h>

#include <cstdint>
#include <vector>

#include "storage/generation/generation.h"
#include "storage/rocksdb/state.h"

namespace neardup {

struct StoredGenerations {
  std::uint32_t epoch = 0;                // the current one
  std::vector<Manifest> current;          // by seq
  std::vector<Manifest> next;             // of the epoch that is being built, by seq
  std::vector<std::uint32_t> superseded;  // numbers: merged into others, or of an older epoch
  std::uint32_t next_number = 1;
};

StoredGenerations read_generations(const RocksdbState& state);

// Adds to a batch that `epoch` becomes the current one.
void put_epoch(const RocksdbState& state, std::uint32_t epoch, rocksdb::WriteBatch& batch);

}  // namespace neardup
