#include "service/monitor/collectors.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "storage/control_group.h"

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

namespace fs = std::filesystem;

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

// Field `index` (from 0) after the name of the program in /proc/self/stat; see proc(5).
double stat_field(int index) {
  std::ifstream file("/proc/self/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  if (name_end == line.npos) return 0;
  std::istringstream fields(line.substr(name_end + 1));
  std::string field;
  for (int i = 0; i <= index; ++i) fields >> field;
  return std::stod(field.empty() ? "0" : field);
}

double boot_time() {
  std::ifstream file("/proc/stat");
  std::string word;
  while (file >> word) {
    double value = 0;
    if (word == "btime" && file >> value) return value;
  }
  return 0;
}

double start_time() {
  constexpr int kStartTicks = 19;
  return boot_time() + stat_field(kStartTicks) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double resident_bytes() {
  constexpr int kResidentPages = 21;
  return stat_field(kResidentPages) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double open_files() {
  std::error_code error;
  const fs::directory_iterator files("/proc/self/fd", error);
  if (error) return 0;
  return static_cast<double>(std::distance(begin(files), end(files)) -
                             1);  // without the one of this iterator
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
  samples.set(Metric::kGpuDocuments, number(report.documents_on_device));
  samples.set(Metric::kGpuSharedDocuments, number(report.documents_shared));
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

std::uint64_t memory_limit() {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  const std::uint64_t machine = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return std::min(machine, ControlGroup().memory_bytes().value_or(machine));
}

void collect_process(Samples& samples) {
  samples.set(Metric::kCpuSeconds, cpu_seconds());
  samples.set(Metric::kResidentBytes, resident_bytes());
  samples.set(Metric::kStartTime, start_time());
  samples.set(Metric::kOpenFiles, open_files());
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    samples.set(Metric::kMostOpenFiles, static_cast<double>(files.rlim_cur));
  }
  samples.set(Metric::kMemoryLimit, static_cast<double>(memory_limit()));
}

}  // namespace neardup
