#include "service/monitor/store_collector.h"

#include <filesystem>
#include <initializer_list>

namespace neardup {
namespace {

// Values of a metric with listed labels, in their order.
void set_all(Samples& samples, Metric metric, std::initializer_list<double> values) {
  std::size_t label = 0;
  for (const double value : values) samples.set(metric, value, label++);
}

template <class Number>
double number(Number value) {
  return static_cast<double>(value);
}

void collect_index(const IndexStats& index, Samples& samples) {
  samples.set(Metric::kIndexPostings, number(index.postings));
  samples.set(Metric::kIndexGenerations, number(index.generations));
  set_all(samples, Metric::kIndexMaintenanceRuns,
          {number(index.flushes.runs), number(index.merges.runs)});
  set_all(samples, Metric::kIndexMaintenanceSeconds, {index.flushes.seconds, index.merges.seconds});
  samples.set(Metric::kIndexWaitSeconds, index.wait_seconds);
  samples.set(Metric::kIndexWaitingSeconds, index.waiting_seconds);
  samples.set(Metric::kIndexMergeDone, index.merge_done);
}

void collect_database(const DatabaseStats& database, Samples& samples) {
  for (std::size_t i = 0; i < database.live_file_bytes.size(); ++i) {
    samples.set(Metric::kFamilyBytes, number(database.live_file_bytes[i]), i);
  }
  samples.set(Metric::kStallSeconds, database.stall_seconds);
  samples.set(Metric::kWriteStopped, database.write_stopped ? 1 : 0);
  samples.set(Metric::kDelayedWriteRate, number(database.delayed_write_bytes_per_second));
  samples.set(Metric::kBackgroundErrors, number(database.background_errors));
  samples.set(Metric::kCacheHits, number(database.cache_hits));
  samples.set(Metric::kCacheMisses, number(database.cache_misses));
  samples.set(Metric::kCompactionPendingBytes, number(database.compaction_pending_bytes));
  set_all(samples, Metric::kRunningJobs,
          {number(database.running_flushes), number(database.running_compactions)});
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
  set_all(samples, Metric::kRemovedDocuments,
          {number(stats.documents_ended), number(stats.documents_expired)});
  samples.set(Metric::kRetentionWatermark, number(stats.expired_before));
  samples.set(Metric::kStateBytes, number(stats.disk_bytes));
  set_all(samples, Metric::kMemoryBytes,
          {number(stats.database.block_cache_bytes), number(stats.database.write_buffer_bytes),
           number(stats.database.table_reader_bytes), number(stats.index.memtable_bytes),
           number(stats.index.filter_bytes), number(stats.index.one_bit_bytes)});
  collect_index(stats.index, samples);
  collect_database(stats.database, samples);
}

void collect_quality(const QualityStats& stats, Samples& samples) {
  // NaN without samples.
  samples.set(Metric::kPrecision, number(stats.flagged_right) / number(stats.flagged));
  samples.set(Metric::kPrecisionSamples, number(stats.flagged));
  samples.set(Metric::kRecall, number(stats.near_flagged) / number(stats.near));
  samples.set(Metric::kRecallSamples, number(stats.near));
  set_all(samples, Metric::kQualityPairs, {number(stats.compared[0]), number(stats.compared[1])});
  set_all(samples, Metric::kQualitySkipped,
          {number(stats.skipped_no_text), number(stats.skipped_busy)});
  samples.set(Metric::kQualitySeconds, stats.cpu_seconds);
}

void collect_backend(const BackendReport& report, Samples& samples) {
  samples.set(Metric::kGpuActive, report.device_active ? 1 : 0);
  set_all(
      samples, Metric::kGpuSeconds,
      {report.times.copy_in_seconds, report.times.kernel_seconds, report.times.copy_out_seconds});
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
