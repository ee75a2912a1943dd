#include "storage/rocksdb/stats.h"

#include <rocksdb/statistics.h>

#include <algorithm>
#include <tuple>

namespace neardup {
namespace {

using Properties = rocksdb::DB::Properties;

static_assert(std::tuple_size_v<decltype(DatabaseStats::live_file_bytes)> == kFamilyNames.size());

// The sum over all column families.
std::uint64_t sum_of(const RocksdbState& state, const std::string& property) {
  std::uint64_t value = 0;
  state.db().GetAggregatedIntProperty(property, &value);
  return value;
}

std::uint64_t value_of(const RocksdbState& state, const std::string& property,
                       Family family = Family::kDefault) {
  std::uint64_t value = 0;
  state.db().GetIntProperty(state.family(family), property, &value);
  return value;
}

void read_tickers(const rocksdb::Statistics& statistics, DatabaseStats& stats) {
  const auto count = [&](rocksdb::Tickers ticker) { return statistics.getTickerCount(ticker); };
  stats.stall_seconds = static_cast<double>(count(rocksdb::STALL_MICROS)) / 1e6;
  stats.cache_hits = count(rocksdb::BLOCK_CACHE_HIT);
  stats.cache_misses = count(rocksdb::BLOCK_CACHE_MISS);
  stats.compaction_read_bytes = count(rocksdb::COMPACT_READ_BYTES);
  stats.compaction_written_bytes = count(rocksdb::COMPACT_WRITE_BYTES);
  stats.flush_written_bytes = count(rocksdb::FLUSH_WRITE_BYTES);
  stats.log_written_bytes = count(rocksdb::WAL_FILE_BYTES);
  stats.log_syncs = count(rocksdb::WAL_FILE_SYNCED);
}

}  // namespace

DatabaseStats read_database(const RocksdbState& state) {
  DatabaseStats stats;
  const std::uint64_t reserved = state.reserved_in_cache();
  const std::uint64_t cached = value_of(state, Properties::kBlockCacheUsage);
  stats.block_cache_bytes = cached - std::min(cached, reserved);
  stats.write_buffer_bytes = sum_of(state, Properties::kSizeAllMemTables);
  stats.table_reader_bytes = sum_of(state, Properties::kEstimateTableReadersMem);
  for (std::size_t i = 0; i < stats.live_file_bytes.size(); ++i) {
    stats.live_file_bytes[i] =
        value_of(state, Properties::kLiveSstFilesSize, static_cast<Family>(i));
  }
  stats.write_stopped = value_of(state, Properties::kIsWriteStopped) != 0;
  stats.delayed_write_bytes_per_second = value_of(state, Properties::kActualDelayedWriteRate);
  stats.background_errors = value_of(state, Properties::kBackgroundErrors);
  stats.compaction_pending_bytes = sum_of(state, Properties::kEstimatePendingCompactionBytes);
  stats.running_flushes = value_of(state, Properties::kNumRunningFlushes);
  stats.running_compactions = value_of(state, Properties::kNumRunningCompactions);
  if (state.statistics() != nullptr) read_tickers(*state.statistics(), stats);
  return stats;
}

}  // namespace neardup
