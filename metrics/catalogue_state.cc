#include "metrics/catalogue_sections.h"
#include "metrics/labels.h"

namespace neardup {
namespace {

using enum MetricType;
using enum MetricSource;

}  // namespace

MetricSection index_and_state_metrics() {
  return {
      "Index and state",
      "What is remembered.",
      {
          {Metric::kIndexDocuments, kGauge, kScrape, "neardup_index_documents", "documents",
           "Documents that later ones are compared with."},
          {Metric::kIndexIds, kGauge, kScrape, "neardup_index_ids", "ids",
           "Live ids, of flagged documents too."},
          {Metric::kIndexPostings, kGauge, kScrape, "neardup_index_postings", "postings",
           "Postings of bands, contents and ids; some may be of deleted documents."},
          {Metric::kIndexGenerations, kGauge, kScrape, "neardup_index_generations", "generations",
           "Immutable parts of the index on disk; with 32 waiting for a merge, writing waits."},
          {Metric::kIndexMaintenanceRuns,
           kCounter,
           kScrape,
           "neardup_index_maintenance_runs_total",
           "",
           "Recent parts flushed into generations, and generations merged.",
           {{"work", label_values<IndexWork>()}}},
          {Metric::kIndexMaintenanceSeconds,
           kCounter,
           kScrape,
           "neardup_index_maintenance_seconds_total",
           "seconds",
           "Time that this took, behind the back of look-ups.",
           {{"work", label_values<IndexWork>()}}},
          {Metric::kIndexWaitSeconds, kCounter, kScrape, "neardup_index_wait_seconds_total",
           "seconds", "Time that writing waited for flushes and merges of the index."},
          {Metric::kIndexWaitingSeconds, kGauge, kScrape, "neardup_index_waiting_seconds",
           "seconds",
           "How long the batch that is being stored has waited for flushes and merges of the "
           "index; 0: it does not wait. From 10 s on the service is not ready."},
          {Metric::kIndexMergeDone, kGauge, kScrape, "neardup_index_merge_done_ratio", "",
           "How much of the merge in progress is done, from 0 to 1; 0 without one. A restart "
           "continues a merge where it was saved last, every 10 s."},
          {Metric::kStateBytes, kGauge, kScrape, "neardup_state_bytes", "bytes",
           "All files of the state on disk."},
          {Metric::kRemovedDocuments,
           kCounter,
           kScrape,
           "neardup_index_removed_documents_total",
           "documents",
           "Documents that left the index. ended: deleted, or their id has a new version; expired: "
           "by retention.",
           {{"reason", label_values<RemovedBy>()}}},
          {Metric::kDeletesByCommand, kCounter, kScrape, "neardup_deletes_by_command_total", "ids",
           "Ids deleted by `neardup delete` while this service was running."},
          {Metric::kBackupLatest, kGauge, kScrape, "neardup_backup_last_success_timestamp_seconds",
           "seconds",
           "When the latest whole backup in backup.directory was made, since 1970; 0: there is "
           "none. Only there with a backup.directory."},
          {Metric::kBackups,
           kCounter,
           kScrape,
           "neardup_backups_total",
           "",
           "Backups into backup.directory since the start. Only there with a backup.directory.",
           {{"outcome", label_values<BackupOutcome>()}}},
          {Metric::kRetentionWatermark, kGauge, kScrape, "neardup_retention_watermark_seq", "",
           "Documents of smaller arrival numbers are forgotten; 0: none is."},
          {Metric::kStreamTime, kGauge, kEvents, "neardup_stream_time_seconds", "seconds",
           "The clock of retention: the latest time of the records, since 1970; 0: no record told "
           "one."},
      }};
}

MetricSection memory_and_disk_metrics() {
  return {"Memory and disk",
          "Limits, and how near they are.",
          {
              {Metric::kMemoryBytes,
               kGauge,
               kScrape,
               "neardup_memory_bytes",
               "bytes",
               "Memory of the state by part. block_cache: blocks of RocksDB that were read; "
               "write_buffers: rows not yet in files; table_readers: block indexes of open files; "
               "recent: postings since the last flush; filters, one_bit_sketches: for look-ups.",
               {{"part", label_values<MemoryPart>()}}},
              {Metric::kMemoryBudget, kGauge, kScrape, "neardup_memory_budget_bytes", "bytes",
               "storage.memory."},
              {Metric::kMemoryLimit, kGauge, kScrape, "neardup_memory_limit_bytes", "bytes",
               "Memory that the process may use: that of its control group, or of the machine."},
              {Metric::kDiskFree, kGauge, kScrape, "neardup_disk_free_bytes", "bytes",
               "Free on the file system of the state, for a plain user."},
              {Metric::kDiskSize, kGauge, kScrape, "neardup_disk_size_bytes", "bytes",
               "Size of the file system of the state."},
          }};
}

MetricSection rocksdb_metrics() {
  return {
      "RocksDB",
      "The database under the state.",
      {
          {Metric::kFamilyBytes,
           kGauge,
           kScrape,
           "neardup_rocksdb_live_file_bytes",
           "bytes",
           "Files in use, by column family (docs/formats/state.md).",
           {{"family", label_values<ColumnFamily>()}}},
          {Metric::kStallSeconds, kCounter, kScrape, "neardup_rocksdb_stall_seconds_total",
           "seconds", "Time that writes were held up by RocksDB."},
          {Metric::kWriteStopped, kGauge, kScrape, "neardup_rocksdb_write_stopped", "",
           "1 while RocksDB accepts no writes, else 0."},
          {Metric::kDelayedWriteRate, kGauge, kScrape,
           "neardup_rocksdb_delayed_write_bytes_per_second", "bytes per second",
           "The rate to which RocksDB slows writes; 0: it does not."},
          {Metric::kBackgroundErrors, kCounter, kScrape, "neardup_rocksdb_background_errors_total",
           "errors", "Failed flushes and compactions; the service ends at the first."},
          {Metric::kCacheHits, kCounter, kScrape, "neardup_rocksdb_block_cache_hits_total",
           "blocks", "Blocks found in the block cache."},
          {Metric::kCacheMisses, kCounter, kScrape, "neardup_rocksdb_block_cache_misses_total",
           "blocks", "Blocks that had to be read from files."},
          {Metric::kCompactionPendingBytes, kGauge, kScrape,
           "neardup_rocksdb_compaction_pending_bytes", "bytes",
           "Bytes that compaction should rewrite, as RocksDB estimates."},
          {Metric::kRunningJobs,
           kGauge,
           kScrape,
           "neardup_rocksdb_running_jobs",
           "",
           "Flushes and compactions of RocksDB at work.",
           {{"work", label_values<DatabaseJob>()}}},
          {Metric::kCompactionReadBytes, kCounter, kScrape,
           "neardup_rocksdb_compaction_read_bytes_total", "bytes", "Bytes read by compaction."},
          {Metric::kCompactionWrittenBytes, kCounter, kScrape,
           "neardup_rocksdb_compaction_written_bytes_total", "bytes",
           "Bytes written by compaction."},
          {Metric::kFlushWrittenBytes, kCounter, kScrape,
           "neardup_rocksdb_flush_written_bytes_total", "bytes", "Bytes written by flushes."},
          {Metric::kLogWrittenBytes, kCounter, kScrape, "neardup_rocksdb_log_written_bytes_total",
           "bytes", "Bytes written to the write-ahead log."},
          {Metric::kLogSyncs, kCounter, kScrape, "neardup_rocksdb_log_syncs_total", "",
           "Syncs of the write-ahead log."},
      }};
}

MetricSection gpu_metrics() {
  return {
      "GPU",
      "Zeros where the backend is the CPU.",
      {
          {Metric::kGpuActive, kGauge, kScrape, "neardup_gpu_active", "",
           "1 while documents are sketched on a GPU; 0 on the CPU, and while a failed GPU waits "
           "for being tried again."},
          {Metric::kGpuSeconds,
           kCounter,
           kScrape,
           "neardup_gpu_seconds_total",
           "seconds",
           "Time of the GPU by its own clock.",
           {{"phase", label_values<GpuPhase>()}}},
          {Metric::kGpuPieces, kCounter, kScrape, "neardup_gpu_pieces_total", "",
           "Pieces of work that were copied, computed and copied back as one."},
          {Metric::kGpuFailures, kCounter, kScrape, "neardup_gpu_failures_total", "",
           "Failures of the GPU; after each the CPU does the work."},
          {Metric::kGpuFallbackDocuments, kCounter, kScrape, "neardup_gpu_fallback_documents_total",
           "documents", "Documents sketched on the CPU because the GPU had failed."},
          {Metric::kGpuMemory, kGauge, kScrape, "neardup_gpu_memory_bytes", "bytes",
           "Memory of the GPU that neardup holds."},
      }};
}

MetricSection process_metrics() {
  return {
      "Process",
      "By the names that all exporters use.",
      {
          {Metric::kCpuSeconds, kCounter, kScrape, "process_cpu_seconds_total", "seconds",
           "User and system time of the process."},
          {Metric::kResidentBytes, kGauge, kScrape, "process_resident_memory_bytes", "bytes",
           "Memory of the process that is in RAM."},
          {Metric::kStartTime, kGauge, kScrape, "process_start_time_seconds", "seconds",
           "When the process began, since 1970."},
          {Metric::kOpenFiles, kGauge, kScrape, "process_open_fds", "", "Open file descriptors."},
          {Metric::kMostOpenFiles, kGauge, kScrape, "process_max_fds", "",
           "Open file descriptors that the process may have."},
      }};
}

}  // namespace neardup
