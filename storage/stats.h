// Statistics of an open store, for metrics. Sizes are in bytes, times in seconds; counts are since
// the store was opened.
#pragma once

#include <array>
#include <cstdint>

#include "pipeline/model/types.h"

namespace neardup {

// Flushes or merges of the index.
struct CompactorWork {
  std::uint64_t runs = 0;
  double seconds = 0;
};

struct IndexStats {
  std::uint64_t postings = 0;
  std::uint64_t generations = 0;
  std::uint64_t memtable_bytes = 0;
  std::uint64_t filter_bytes = 0;
  std::uint64_t one_bit_bytes = 0;
  CompactorWork flushes;
  CompactorWork merges;
  double wait_seconds = 0;     // of commits for flushes and merges, a current one included
  double waiting_seconds = 0;  // so far, of a commit that waits now; 0: none
  double merge_done = 0;       // share of the current merge that is done, below 1; 0: none
};

// Statistics of RocksDB. Those from `stall_seconds` on need StorageOptions::statistics.
struct DatabaseStats {
  std::uint64_t block_cache_bytes = 0;  // without write buffers
  std::uint64_t write_buffer_bytes = 0;
  std::uint64_t table_reader_bytes = 0;
  std::array<std::uint64_t, 10> live_file_bytes{};  // by column family
  bool write_stopped = false;
  std::uint64_t delayed_write_bytes_per_second = 0;
  std::uint64_t background_errors = 0;
  std::uint64_t compaction_pending_bytes = 0;
  std::uint64_t running_flushes = 0;
  std::uint64_t running_compactions = 0;
  double stall_seconds = 0;
  std::uint64_t cache_hits = 0;
  std::uint64_t cache_misses = 0;
  std::uint64_t compaction_read_bytes = 0;
  std::uint64_t compaction_written_bytes = 0;
  std::uint64_t flush_written_bytes = 0;
  std::uint64_t log_written_bytes = 0;
  std::uint64_t log_syncs = 0;
};

// A commit that waits for flushes and merges of the index.
struct CommitWait {
  double seconds = 0;          // so far; 0: none waits
  std::uint64_t progress = 0;  // changes as the work that the commit waits for proceeds
};

struct StoreStats {
  std::uint64_t documents = 0;  // as of the last commit
  std::uint64_t ids = 0;
  std::uint64_t documents_ended = 0;    // deleted, or replaced by a new version
  std::uint64_t documents_expired = 0;  // by retention
  Seq expired_before = 0;               // smaller seqs are expired
  std::uint64_t disk_bytes = 0;
  IndexStats index;
  DatabaseStats database;
};

}  // namespace neardup
