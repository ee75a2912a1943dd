#include "storage/rocksdb/families.h"

#include <rocksdb/env.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/statistics.h>
#include <rocksdb/table.h>
#include <rocksdb/write_buffer_manager.h>

#include <algorithm>

#include "metrics/labels.h"
#include "storage/memory_plan.h"

namespace neardup {
namespace {

static_assert(std::ranges::equal(kFamilyNames, names(ColumnFamily{}),
                                 [](std::string_view a, std::string_view b) { return a == b; }));

constexpr std::size_t kPageBlockBytes = 2048;  // about a page of the index
constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
// A restart after a crash replays the whole log, at about 40 MiB a second.
constexpr std::uint64_t kMaxLogBytes = 64 * kMiB;
// One shard: the shards of a small cache would be too small for the filter of a large file, which
// each look-up would read again.
constexpr int kCacheShardBits = 0;
constexpr int kMaxOpenFiles = 512;  // below the usual limit of 1 024 for a process

// Drops RocksDB's log lines, since errors are returned as statuses. Its log file could not be
// written on a full disk, and RocksDB 7.8 aborts the process when that fails twice.
class NoInfoLog : public rocksdb::Logger {
 public:
  NoInfoLog() : Logger(rocksdb::FATAL_LEVEL) {}
  using Logger::Logv;
  void Logv(const char*, va_list) override {}
};

rocksdb::DBOptions db_options(const StorageOptions& options) {
  rocksdb::DBOptions db;
  db.create_if_missing = true;
  db.create_missing_column_families = true;
  db.max_background_jobs = 2;
  db.max_open_files = kMaxOpenFiles;
  db.max_total_wal_size = kMaxLogBytes;
  // One thread writes; insertion with hints needs this.
  db.allow_concurrent_memtable_write = false;
  db.enable_write_thread_adaptive_yield = false;
  // An error in the background ends the process; RocksDB must not retry.
  db.max_bgerror_resume_count = 0;
  db.avoid_flush_during_shutdown = options.temporary;
  db.info_log = std::make_shared<NoInfoLog>();
  if (options.statistics) {
    db.statistics = rocksdb::CreateDBStatistics();
    db.statistics->set_stats_level(rocksdb::kExceptHistogramOrTimers);
  }
  db.stats_dump_period_sec = 0;
  db.stats_persist_period_sec = 0;
  return db;
}

rocksdb::ColumnFamilyOptions basic_family(std::uint64_t write_buffer) {
  rocksdb::ColumnFamilyOptions family;
  family.write_buffer_size = std::clamp<std::uint64_t>(write_buffer, kMiB, 512 * kMiB);
  family.max_write_buffer_number = 3;
  family.max_bytes_for_level_base = 4 * family.write_buffer_size;
  family.compression = rocksdb::kNoCompression;  // hashes, sketches and zstd frames do not shrink
  return family;
}

// Tables that RocksDB 7.8 can read too, so that a state can go back to a build with an older
// RocksDB.
rocksdb::BlockBasedTableOptions portable_tables() {
  rocksdb::BlockBasedTableOptions table;
  table.format_version = 5;
  return table;
}

rocksdb::BlockBasedTableOptions table_options(const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table = portable_tables();
  table.block_cache = cache;
  table.cache_index_and_filter_blocks = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  return table;
}

// Insertion hints for rows, which are written in ascending order of their keys.
void append_rows(rocksdb::ColumnFamilyOptions& family) {
  family.memtable_insert_with_hint_prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(1));
}

// Filters for the memtables, which spare most look-ups a search: most rows are in files, and the
// row of an id is looked up in two families.
void filter_memtables(rocksdb::ColumnFamilyOptions& family) {
  family.memtable_whole_key_filtering = true;
  family.memtable_prefix_bloom_size_ratio = 0.02;
}

// For families whose files the index ingests and removes (storage/index): RocksDB must not compact
// them. Look-ups read random pages, which would only thrash the block cache. The block indexes stay
// in memory, some 20 bytes a page.
void take_files(rocksdb::ColumnFamilyOptions& family) {
  family.disable_auto_compactions = true;
  rocksdb::BlockBasedTableOptions table = portable_tables();
  table.no_block_cache = true;
  table.block_size = kPageBlockBytes;
  family.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
}

}  // namespace

RocksdbOptions rocksdb_options(const StorageOptions& options) {
  RocksdbOptions result;
  const MemoryPlan memory = plan_memory(options.memory);
  result.cache = rocksdb::NewLRUCache(memory.cache, kCacheShardBits);
  result.db = db_options(options);
  result.db.write_buffer_manager =
      std::make_shared<rocksdb::WriteBufferManager>(memory.write_buffers, result.cache);

  const rocksdb::BlockBasedTableOptions table = table_options(result.cache);
  for (const char* name : kFamilyNames) {
    result.families.emplace_back(name, basic_family(memory.write_buffers / 2));
    result.families.back().options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  }
  const auto family = [&result](Family which) -> rocksdb::ColumnFamilyOptions& {
    return result.families[static_cast<std::size_t>(which)].options;
  };
  for (const Family rows : {Family::kDocs, Family::kIds, Family::kTexts, Family::kEnded}) {
    append_rows(family(rows));
  }
  for (const Family looked_up : {Family::kDocs, Family::kIds}) filter_memtables(family(looked_up));
  for (const Family files : {Family::kIndex, Family::kBits}) take_files(family(files));
  // Seqs without a document are zeros in the sketches.
  family(Family::kBits).compression = rocksdb::kLZ4Compression;
  return result;
}

}  // namespace neardup
