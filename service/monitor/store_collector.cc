#include "service/monitor/store_collector.h"

#include <filesystem>

namespace neardup {
namespace {

template <class Number>
double number(Number value) {
  return static_cast<double>(value);
}

void collect_index(const IndexStats& index, Samples& samples) {
  samples.set(Metric::kIndexPostings, number(index.postings));
  samples.set(Metric::kIndexGenerations, number(index.generations));
  samples.set(Metric::kIndexMaintenanceRuns, number(index.flushes.runs), IndexWork::kFlush);
  samples.set(Metric::kIndexMaintenanceRuns, number(index.merges.runs), IndexWork::kMerge);
  samples.set(Metric::kIndexMaintenanceSeconds, index.flushes.seconds, IndexWork::kFlush);
  samples.set(Metric::kIndexMaintenanceSeconds, index.merges.seconds, IndexWork::kMerge);
  samples.set(Metric::kIndexWaitSeconds, index.wait_seconds);
  samples.set(Metric::kIndexWaitingSeconds, index.waiting_seconds);
  samples.set(Metric::kIndexMergeDone, index.merge_done);
}

void collect_database(const DatabaseStats& database, Samples& samples) {
  for_each_label<ColumnFamily>([&](ColumnFamily family) {
    const auto bytes = database.live_file_bytes[static_cast<std::size_t>(family)];
    samples.set(Metric::kFamilyBytes, number(bytes), family);
  });
  samples.set(Metric::kStallSeconds, database.stall_seconds);
  samples.set(Metric::kWriteStopped, database.write_stopped ? 1 : 0);
  samples.set(Metric::kDelayedWriteRate, number(database.delayed_write_bytes_per_second));
  samples.set(Metric::kBackgroundErrors, number(database.background_errors));
  samples.set(Metric::kCacheHits, number(database.cache_hits));
  samples.set(Metric::kCacheMisses, number(database.cache_misses));
  samples.set(Metric::kCompactionPendingBytes, number(database.compaction_pending_bytes));
  samples.set(Metric::kRunningJobs, number(database.running_flushes), DatabaseJob::kFlush);
  samples.set(Metric::kRunningJobs, number(database.running_compactions), DatabaseJob::kCompaction);
  samples.set(Metric::kCompactionReadBytes, number(database.compaction_read_bytes));
  samples.set(Metric::kCompactionWrittenBytes, number(database.compaction_written_bytes));
  samples.set(Metric::kFlushWrittenBytes, number(database.flush_written_bytes));
  samples.set(Metric::kLogWrittenBytes, number(database.log_written_bytes));
  samples.set(Metric::kLogSyncs, number(database.log_syncs));
}

}  // namespace

void collect_store(const StoreStats& stats, Samples& samples) {
  samples.set(Metric::kIndexDocuments, number(stats.documents));
  samples.set(Metric::kIndexIds, number(stats.ids));
  samples.set(Metric::kRemovedDocuments, number(stats.documents_ended), RemovedBy::kEnded);
  samples.set(Metric::kRemovedDocuments, number(stats.documents_expired), RemovedBy::kExpired);
  samples.set(Metric::kRetentionWatermark, number(stats.expired_before));
  samples.set(Metric::kStateBytes, number(stats.disk_bytes));
  const auto memory = [&](std::uint64_t bytes, MemoryPart part) {
    samples.set(Metric::kMemoryBytes, number(bytes), part);
  };
  memory(stats.database.block_cache_bytes, MemoryPart::kBlockCache);
  memory(stats.database.write_buffer_bytes, MemoryPart::kWriteBuffers);
  memory(stats.database.table_reader_bytes, MemoryPart::kTableReaders);
  memory(stats.index.memtable_bytes, MemoryPart::kMemtables);
  memory(stats.index.filter_bytes, MemoryPart::kFilters);
  memory(stats.index.one_bit_bytes, MemoryPart::kOneBitSketches);
  collect_index(stats.index, samples);
  collect_database(stats.database, samples);
}

void collect_quality(const QualityStats& stats, Samples& samples) {
  // NaN without samples.
  samples.set(Metric::kPrecision, number(stats.flagged_right) / number(stats.flagged));
  samples.set(Metric::kPrecisionSamples, number(stats.flagged));
  samples.set(Metric::kRecall, number(stats.near_flagged) / number(stats.near));
  samples.set(Metric::kRecallSamples, number(stats.near));
  for_each_label<PairKind>([&](PairKind kind) {
    const auto compared = stats.compared[static_cast<std::size_t>(kind)];
    samples.set(Metric::kQualityPairs, number(compared), kind);
  });
  samples.set(Metric::kQualitySkipped, number(stats.skipped_no_text), SkippedPair::kNoText);
  samples.set(Metric::kQualitySkipped, number(stats.skipped_busy), SkippedPair::kBusy);
  samples.set(Metric::kQualitySeconds, stats.cpu_seconds);
}

void collect_backend(const BackendReport& report, Samples& samples) {
  samples.set(Metric::kGpuActive, report.device_active ? 1 : 0);
  samples.set(Metric::kGpuSeconds, report.times.copy_in_seconds, GpuPhase::kCopyIn);
  samples.set(Metric::kGpuSeconds, report.times.kernel_seconds, GpuPhase::kKernel);
  samples.set(Metric::kGpuSeconds, report.times.copy_out_seconds, GpuPhase::kCopyOut);
  samples.set(Metric::kGpuPieces, number(report.times.pieces));
  samples.set(Metric::kGpuFailures, number(report.failures));
  samples.set(Metric::kGpuFallbackDocuments, number(report.documents_on_cpu));
  samples.set(Metric::kGpuMemory, number(report.device_bytes));
}

void collect_disk(const std::string& path, Samples& samples) {
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(path, error);
  if (error) return;
  samples.set(Metric::kDiskFree, number(space.available));
  samples.set(Metric::kDiskSize, number(space.capacity));
}

}  // namespace neardup
